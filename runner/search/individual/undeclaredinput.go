package individual

import "sonde/model"

// undeclaredInputs are inputs that specs seldom declare. Frameworks and middleware read them nevertheless, often
// before the service's own checks: a query that cannot be decoded, headers with a value that cannot be parsed, and
// names with brackets.
var undeclaredInputs = []violation{
	{in: model.InQuery, name: extraProperty, does: inserts, with: invalidUTF8, escaped: true},
	{in: model.InQuery, name: extraProperty, does: inserts, with: "%zz", escaped: true},
	{in: model.InQuery, name: extraProperty + "[x][", does: inserts, with: "1"},
	{in: model.InHeader, name: "Accept", does: inserts, with: "sonde"},
	{in: model.InHeader, name: "Accept-Language", does: inserts, with: "x;q=y"},
	{in: model.InHeader, name: "If-Modified-Since", does: inserts, with: "sonde"},
	{in: model.InHeader, name: "Range", does: inserts, with: "bytes=9-1"},
	{in: model.InHeader, name: "X-Forwarded-For", does: inserts, with: "'sonde"},
}

// undeclaredEdgeCases returns the edge cases with an input that the call's operation does not declare.
func (c call) undeclaredEdgeCases() []edgeCase {
	all := undeclaredInputs[:len(undeclaredInputs):len(undeclaredInputs)]
	switch body := c.message(); {
	case c.op.Body == nil:
		all = append(all, violation{in: model.InBody, whole: true, does: inserts, media: "application/json", with: `{"`})
	case body != nil:
		all = append(all,
			violation{in: model.InBody, does: inserts, media: baseMedia(body.Media) + "; charset=sonde"},
			violation{in: model.InHeader, name: "Content-Encoding", does: inserts, with: "gzip"},
		)
	}
	return asEdgeCases(all, 0)
}
