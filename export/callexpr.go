package export

import "strings"

// call returns the Go call that sends a shot.
func (s *shot) call() string {
	return wrapped("call(t, "+quoted(s.method)+", "+expr(s.path, quoted), s.options, 1)
}

// wrapped returns a Go call with its options: on one line if they fit, else each on its own. The call is
// indented by tabs.
func wrapped(start string, options func(indent int) []string, indent int) string {
	all := options(indent)
	line := start + strings.Join(append([]string{""}, all...), ", ") + ")"
	if first, _, _ := strings.Cut(line, "\n"); len(first) <= lineWidth || len(all) == 0 {
		return line
	}
	return start + strings.Join(append([]string{""}, options(indent+1)...), ",\n"+strings.Repeat("\t", indent+1)) + ")"
}

// options returns the arguments after the path. The user comes after the headers, which it overrides, and
// the body comes last, with lines indented by tabs.
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

// option returns the argument for a body, with lines indented by tabs.
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

// expr returns the Go expression that joins literals and the values of variables.
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
