package format

import (
	"errors"
	"fmt"
	"strings"

	"sonde/export"
	"sonde/model"
)

// inTable writes Go files in which each test is a row of a table.
func inTable(of Format, tests, faults export.Suite, in export.Folder) (Made, error) {
	var made Made
	var tables []export.Table
	both := export.Script{}
	for _, suite := range []export.Suite{tests, faults} {
		s, err := suite.Script(export.LoginsEach)
		if errors.Is(err, export.ErrEmpty) {
			made.Lacks = append(made.Lacks, suite.UnshownFaults()...)
			continue
		} else if err != nil {
			return Made{}, err
		}
		t := tableOf(s, of)
		tables, both = append(tables, t), both.With(s)
		made.add(s, t.Name, nil)
	}
	if len(tables) == 0 {
		return Made{}, export.ErrEmpty
	}
	w := table{newWriter()}
	w.settings(both)
	var err error
	made.Files, err = export.GoTables(tables, w.String(), in)
	if err != nil {
		return Made{}, err
	}
	made.Text = made.Files[0].Text
	return made, nil
}

// tableOf returns the file of a script.
func tableOf(s export.Script, of Format) export.Table {
	w, top := table{newWriter()}, newWriter()
	name, test, rows := of.File, "TestAPI", "cases"
	if s.Shows {
		name, test, rows = of.Faults, "TestFaults", "faultCases"
	}
	w.region("// ", "settings", func() { w.begin(s, test, rows) })
	for _, c := range s.Cases {
		w.region("// ", c.Name, func() { w.row(c) })
	}
	top.remarks("// ", head(s, "SONDE_BASE_URL says where the service is.", "go test -count=1 "+name+" "+of.Helpers)...)
	comment := strings.Replace(top.String(), "// Calls ", "// Package apitest calls ", 1)
	if s.Shows {
		comment += "\n" // it is of the file, not of the package
	}
	return export.Table{Name: name, Head: comment + "package apitest\n", Body: w.String()}
}

// table writes the rows.
type table struct{ writer }

// settings are what tables share: where the service is, and how it is reset.
func (w table) settings(s export.Script) {
	w.line("// defaultURL is where the service is, unless SONDE_BASE_URL is set.\nconst defaultURL = %s\n", export.Literal(s.BaseURL))
	if s.TLS != (model.TLSFiles{}) {
		w.line(
			"// SONDE_CACERT, SONDE_CERT and SONDE_KEY may name other files.\nfunc init() { speakTLS(%q, %q, %q, %t) }\n",
			s.TLS.CACert, s.TLS.Cert, s.TLS.Key, s.Insecure,
		)
	} else if s.Insecure {
		w.line("// The run trusted any certificate. Take this out where the service has a real one.\nfunc init() { trustAnybody() }\n")
	}
	w.line("// usual are variables of the environment that are no secret.\nvar usual = map[string]string{")
	for _, name := range sorted(public(s)) {
		w.line("%s: %s,", export.Literal(name), export.Literal(public(s)[name]))
	}
	w.line("}\n")
	if s.Reset != nil {
		w.line("// first brings the service back to its first state.\nvar first = exchange{%s}\n", w.request(*s.Reset))
	}
}

// begin is what runs the rows, and the beginning of the table.
func (w table) begin(s export.Script, test, rows string) {
	w.line(
		"// %s plays each row of the table.\nfunc %s(t *testing.T) {\nfor _, c := range %s {\nt.Run(c.name, func(t *testing.T) {",
		test, test, rows,
	)
	if s.Reset != nil {
		w.line("first.send(t, nil).wantSuccess()")
	}
	w.line("c.play(t)\n})\n}\n}\n")
	w.line("// %s are the tests.\nvar %s = []testCase{", rows, rows)
}

// row is a test.
func (w table) row(c export.Case) {
	w.remarks("// ", c.About...)
	skip := ""
	if c.Skip != "" {
		skip = "skip: " + export.Literal(c.Skip) + ", "
	}
	w.line("{name: %s, %scalls: []exchange{", export.Literal(c.Name), skip)
	for _, s := range c.Steps {
		if s.Fault() {
			w.remarks("// ", export.FaultRemark(s.Status))
		}
		w.line("{\n%s%s},", w.request(s.Request), w.answer(s))
	}
	w.line("}},")
}

// request returns the fields of what is sent.
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

// answer returns the fields of what is wanted and kept.
func (w table) answer(s export.Step) string {
	text := fmt.Sprintf("status: %d,\n", s.Status)
	if len(s.Checks) > 0 {
		text += "wants: []wanted{\n"
		for _, k := range s.Checks {
			text += fmt.Sprintf("{%s, %s},\n", export.Literal(k.Pointer), export.Literal(string(k.Equals)))
		}
		text += "},\n"
	}
	text += w.expected(s)
	if len(s.Takes) > 0 {
		text += "keeps: []kept{\n"
		for _, t := range s.Takes {
			text += fmt.Sprintf(
				"{name: %s, pointer: %s, header: %s},\n", export.Literal(t.Camel()), export.Literal(t.Pointer),
				export.Literal(t.Header),
			)
		}
		text += "},\n"
	}
	return text
}

// expected returns the fields of what else is wanted.
func (w table) expected(s export.Step) string {
	var expects, same, text string
	for _, want := range s.Wants {
		switch want.Kind {
		case export.WantStatus:
			text += fmt.Sprintf("statuses: %#v,\n", want.Values)
		case export.WantSame:
			same += fmt.Sprintf("{name: %s, pointer: %s},\n", export.Literal(want.Take.Camel()), export.Literal(want.Pointer))
		default:
			expects += want.Go() + ",\n"
		}
	}
	if expects != "" {
		text += "expects: []expectation{\n" + expects + "},\n"
	}
	if same != "" {
		text += "same: []kept{\n" + same + "},\n"
	}
	if s.Broken && expects+same != "" {
		text += "broken: true,\n"
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

// joinedText returns one literal in which a dollar is two.
func joinedText(parts []export.Part, place func(export.Part) string) string {
	text := joined(parts, "", func(text string) string { return strings.ReplaceAll(text, "$", "$$") }, place)
	return export.Literal(text)
}
