package format

import (
	"fmt"
	"strings"

	"sonde/export"
)

// inTable writes a Go file in which each test is a row of a table.
func inTable(s export.Suite, old string) (Made, error) {
	all, err := s.Script()
	if err != nil {
		return Made{}, err
	}
	w := table{newWriter()}
	w.region("// ", "settings", func() { w.settings(all) })
	made := Made{Lacks: all.Lacks}
	for _, c := range all.Cases {
		w.region("// ", c.Name, func() { w.row(c) })
		made.Tests = append(made.Tests, c.ID)
	}
	top := newWriter()
	top.remarks("// ", head(all, "SONDE_BASE_URL says where the service is.", "go test -count=1 sonde_table_test.go")...)
	made.Text, err = export.GoTable(old, strings.Replace(top.String(), "// Calls ", "// Package apitest calls ", 1)+"package apitest\n", w.String())
	return made, err
}

// table writes the rows.
type table struct{ writer }

// settings are where the service is, what runs the rows, and the beginning of the table.
func (w table) settings(s export.Script) {
	w.line("// defaultURL is where the service is, unless SONDE_BASE_URL is set.\nconst defaultURL = %s\n", export.Literal(s.BaseURL))
	if s.Insecure {
		w.line("// The run trusted any certificate. Take this out where the service has a real one.\nfunc init() { trustAnybody() }\n")
	}
	w.line("// usual are variables of the environment that are no secret.\nvar usual = map[string]string{")
	for _, name := range sorted(public(s)) {
		w.line("%s: %s,", export.Literal(name), export.Literal(public(s)[name]))
	}
	w.line("}\n\n// TestAPI plays each row of the table.\nfunc TestAPI(t *testing.T) {\nfor _, c := range cases {\nt.Run(c.name, func(t *testing.T) {")
	if s.Reset != nil {
		w.line("first.send(t, nil).wantSuccess()")
	}
	w.line("c.play(t)\n})\n}\n}\n")
	if s.Reset != nil {
		w.line("// first brings the service back to its first state.\nvar first = exchange{%s}\n", w.request(*s.Reset))
	}
	w.line("// cases are the tests.\nvar cases = []testCase{")
}

// row is a test.
func (w table) row(c export.Case) {
	w.remarks("// ", c.About...)
	w.line("{name: %s, calls: []exchange{", export.Literal(c.Name))
	for _, s := range c.Steps {
		if s.Fault() {
			w.remarks("// ", export.FaultRemark(s.Status))
		}
		w.line("{\n%s%s},", w.request(s.Request), w.answer(s))
	}
	w.line("}},")
}

// request are the fields of what is sent.
func (w table) request(r export.Request) string {
	text := fmt.Sprintf("method: %s, path: %s,\n", export.Literal(r.Method), w.text(r.Path))
	if len(r.Headers) > 0 {
		text += "header: []string{"
		for _, h := range r.Headers {
			text += w.text(append([]export.Part{{Text: h.Name + ": "}}, h.Value...)) + ", "
		}
		text = strings.TrimSuffix(text, ", ") + "},\n"
	}
	if r.Basic != nil {
		text += "basic: " + w.text(r.Basic) + ",\n"
	}
	if r.Body != nil {
		text += "body: " + w.text(r.Body.Parts) + ",\n"
	}
	return text
}

// answer are the fields of what is wanted and kept.
func (w table) answer(s export.Step) string {
	text := fmt.Sprintf("status: %d,\n", s.Status)
	if len(s.Checks) > 0 {
		text += "wants: []wanted{\n"
		for _, k := range s.Checks {
			text += fmt.Sprintf("{%s, %s},\n", export.Literal(k.Pointer), export.Literal(string(k.Equals)))
		}
		text += "},\n"
	}
	if len(s.Takes) > 0 {
		text += "keeps: []kept{\n"
		for _, t := range s.Takes {
			text += fmt.Sprintf("{name: %s, pointer: %s, header: %s},\n", export.Literal(t.Camel()), export.Literal(t.Pointer), export.Literal(t.Header))
		}
		text += "},\n"
	}
	return text
}

// text are parts as one literal, with the places of values in it.
func (w table) text(parts []export.Part) string {
	return joinedText(parts, func(p export.Part) string {
		if p.Env != "" {
			return "${env " + p.Env + "." + string(p.As) + "}"
		}
		return "${" + p.Take.Camel() + "." + string(p.As) + "}"
	})
}

// joinedText is one literal in which a dollar is two.
func joinedText(parts []export.Part, place func(export.Part) string) string {
	text := joined(parts, "", func(text string) string { return strings.ReplaceAll(text, "$", "$$") }, place)
	return export.Literal(text)
}
