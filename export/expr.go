package export

import "strings"

// call returns a shot as the Go expression that makes it.
func (s *shot) call() string {
	return laid("call(t, "+quoted(s.method)+", "+expr(s.path, quoted), s.options, 1)
}

// laid returns a call with its options: in one line where they fit, else each
// in its own. The call is indented by tabs.
func laid(start string, options func(indent int) []string, indent int) string {
	all := options(indent)
	line := start + strings.Join(append([]string{""}, all...), ", ") + ")"
	if first, _, _ := strings.Cut(line, "\n"); len(first) <= lineWidth || len(all) == 0 {
		return line
	}
	return start + strings.Join(append([]string{""}, options(indent+1)...), ",\n"+strings.Repeat("\t", indent+1)) + ")"
}

// options returns the arguments behind the path, the body last. Who calls comes
// after headers, because he wins over them. Lines of the body are indented by
// tabs.
func (s *shot) options(indent int) []string {
	var all []string
	for _, h := range s.headers {
		all = append(all, "withHeader("+quoted(h.name)+", "+expr([]part{h.value}, quoted)+")")
	}
	for _, c := range s.cookies {
		all = append(all, "withCookie("+quoted(c.name)+", "+expr([]part{c.value}, quoted)+")")
	}
	if s.proof != "" {
		all = append(all, s.proof)
	}
	if s.tested {
		all = append(all, "underTest")
	}
	if s.body != nil {
		all = append(all, s.body.option(indent))
	}
	return all
}

func (p *payload) option(indent int) string {
	switch {
	case p.form != nil:
		return "withBody(" + quoted(p.media) + ", " + expr(p.form, quoted) + ")"
	case p.tree == nil:
		return "withBody(" + quoted(p.media) + ", " + quoted(p.data) + ")"
	}
	data := expr(p.parts(indent), rawJSON)
	if p.media == "application/json" {
		return "withJSON(" + data + ")"
	}
	return "withBody(" + quoted(p.media) + ", " + data + ")"
}

// expr joins literals and the values of variables to one Go expression.
func expr(parts []part, literal func(string) string) string {
	var terms []string
	var text string
	for _, p := range parts {
		text += p.text
		if p.from == nil {
			continue
		}
		if text != "" {
			terms = append(terms, literal(text))
		}
		terms, text = append(terms, p.from.name+"."+p.as+"()"), ""
	}
	if text != "" || len(terms) == 0 {
		terms = append(terms, literal(text))
	}
	return strings.Join(terms, " + ")
}
