package export

import "strings"

// call returns the Go expression that sends the call.
func (s *boundCall) call() string {
	return wrapped("call(t, "+quoted(s.method)+", "+expr(s.path, quoted), s.options, 1)
}

// wrapped returns a Go call with its options: on one line if they fit, else with a line for each option.
// indent is the number of tabs before the call.
func wrapped(start string, options func(indent int) []string, indent int) string {
	all := options(indent)
	line := start + strings.Join(append([]string{""}, all...), ", ") + ")"
	if first, _, _ := strings.Cut(line, "\n"); len(first) <= lineWidth || len(all) == 0 {
		return line
	}
	return start + strings.Join(append([]string{""}, options(indent+1)...), ",\n"+strings.Repeat("\t", indent+1)) + ")"
}

// options returns the Go arguments after the path. The user comes after the headers, because it overrides
// them. The body comes last. indent is the number of tabs before its lines.
func (s *boundCall) options(indent int) []string {
	var all []string
	for _, h := range s.headers {
		all = append(all, "withHeader("+quoted(h.name)+", "+expr([]part{h.value}, quoted)+")")
	}
	for _, c := range s.cookies {
		all = append(all, "withCookie("+quoted(c.name)+", "+expr([]part{c.value}, quoted)+")")
	}
	if s.userOption != "" {
		all = append(all, s.userOption)
	}
	if s.underTest {
		all = append(all, "underTest")
	}
	if s.body != nil {
		all = append(all, s.body.option(indent))
	}
	return all
}

// option returns the Go argument for a body. indent is the number of tabs before its lines.
func (p *payload) option(indent int) string {
	switch {
	case p.linked != nil:
		return "withBody(" + quoted(p.media) + ", " + expr(p.linked, quoted) + ")"
	case p.tree == nil:
		return "withBody(" + quoted(p.media) + ", " + quoted(p.data) + ")"
	}
	data := expr(p.parts(indent), rawJSON)
	if p.media == "application/json" {
		return "withJSON(" + data + ")"
	}
	return "withBody(" + quoted(p.media) + ", " + data + ")"
}

// expr returns the Go expression that joins the literal texts and the values of the variables.
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
		terms, text = append(terms, p.from.name+"."+p.escaping+"()"), ""
	}
	if text != "" || len(terms) == 0 {
		terms = append(terms, literal(text))
	}
	return strings.Join(terms, " + ")
}
