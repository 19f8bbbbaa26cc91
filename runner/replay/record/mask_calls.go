package record

import (
	"net/http"
	"slices"

	"sonde/model"
)

// Sent returns a copy of calls and of an exchange with pseudonyms in place of their secrets. Equal secrets get equal
// pseudonyms. masked reports whether a value of the calls was replaced.
func (m Masks) Sent(calls []model.Call, x model.Exchange) (own []model.Call, exchange model.Exchange, masked bool) {
	n := newMasker(m)
	exchange = n.exchange(x, nil)
	own = slices.Clone(calls)
	for i, c := range own {
		own[i].Args = slices.Clone(c.Args)
		for j, a := range c.Args {
			own[i].Args[j].Value = n.argument(a)
			masked = masked || own[i].Args[j].Value != a.Value
		}
		if c.Body == nil {
			continue
		}
		data := string(n.body([]byte(c.Body.Data), http.Header{"Content-Type": {c.Body.Media}}))
		own[i].Body = &model.Payload{Media: c.Body.Media, Data: data, FromFile: c.Body.FromFile}
		masked = masked || data != c.Body.Data
	}
	return own, exchange, masked
}

// argument masks the value of an argument as the part of the request that the argument becomes.
func (m *masker) argument(a model.Arg) string {
	switch a.In {
	case model.InHeader:
		return m.headerValue(http.CanonicalHeaderKey(a.Name), a.Value)
	case model.InCookie:
		if m.masks.off[maskCookie] || a.Value == "" {
			return a.Value
		}
		return m.pseudonymFor(a.Value)
	case model.InPath:
		return m.text(a.Value) // as in a URL, where a segment has no name
	}
	return m.value(a.Name, a.Value)
}
