package format

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"sonde/export"
	"sonde/model"
)

// inTable makes Go files in which each test is a row of a table.
func inTable(of Format, tests, faults export.Suite, in export.OutputFolder) (Output, error) {
	var made Output
	var why error
	var tables []export.TableFile
	both := export.Script{}
	for _, suite := range []export.Suite{tests.WithoutRows(), faults.WithoutRows()} {
		s, err := suite.DrivenScript(export.LoginPerCase)
		switch {
		case errors.Is(err, export.ErrEmpty):
			made.Omissions = append(made.Omissions, suite.UnshownFaults()...)
			if !suite.ShowsFaults() {
				why = err
			}
			continue
		case err != nil:
			return Output{}, err
		}
		t := tableOf(s, of)
		t.Retired = suite.RetiredTests()
		tables, both = append(tables, t), both.MergeShared(s)
		made.add(s, t.Name, nil)
	}
	if len(tables) == 0 {
		return Output{}, cmp.Or(why, export.ErrEmpty)
	}
	w := table{newWriter()}
	w.settings(both)
	var err error
	made.Files, err = export.GoTableFiles(tables, w.String(), in)
	if err != nil {
		return Output{}, err
	}
	made.Text = made.Files[0].Text
	if both.Driver != nil {
		made.CommandNotice = export.Suite{Driver: both.Driver}.CommandNotice(of.HelpersFile)
	}
	return made, nil
}

// tableOf returns the Go file for a script.
func tableOf(s export.Script, of Format) export.TableFile {
	w, top := table{newWriter()}, newWriter()
	name, test, rows := of.TestsFile, "TestAPI", "cases"
	if s.ShowsFaults {
		name, test, rows = of.FaultsFile, "TestFaults", "faultCases"
	}
	w.region("// ", "settings", func() { w.beginTable(s, test, rows) })
	for _, c := range s.Cases {
		w.region("// ", c.Name, func() { w.row(c) })
	}
	top.remarks("// ", headLines(s, "SONDE_BASE_URL is the service's URL.", "go test -count=1 "+name+" "+of.HelpersFile)...)
	comment := strings.Replace(top.String(), "// Calls ", "// Package apitest calls ", 1)
	if s.ShowsFaults {
		comment += "\n" // the comment is about the file, not the package
	}
	return export.TableFile{Name: name, Head: comment + "package apitest\n", Body: w.String()}
}

// table prints the Go source of tables.
type table struct{ writer }

// settings writes the declarations that the tables of a folder share, such as the service's URL and its
// reset.
func (w table) settings(s export.Script) {
	if s.Driver != nil {
		w.line("%s", s.GoDriver())
	} else {
		w.line("// defaultURL is the service's URL, unless SONDE_BASE_URL is set.\nconst defaultURL = %s\n", export.GoLiteral(s.BaseURL))
	}
	if s.TLS != (model.TLSFiles{}) {
		w.line(
			"// The files for TLS with the service, unless SONDE_CACERT, SONDE_CERT and SONDE_KEY name others.\n"+
				"func init() { configureTLS(%q, %q, %q, %t) }\n",
			s.TLS.CACert, s.TLS.Cert, s.TLS.Key, s.Insecure,
		)
	} else if s.Insecure {
		w.line("// The run trusted any certificate. Remove this where the service has a valid one.\n" +
			"func init() { trustAnyCertificate() }\n")
	}
	w.line("// defaultValues are the values of environment variables that are not secret.\nvar defaultValues = map[string]string{")
	for _, name := range sorted(publicValues(s)) {
		w.line("%s: %s,", export.GoLiteral(name), export.GoLiteral(publicValues(s)[name]))
	}
	w.line("}\n")
	if s.Reset != nil {
		w.line("// first brings the service back to its first state.\nvar first = exchange{%s}\n", w.request(*s.Reset))
	}
}

// beginTable writes the test function that runs the rows, and the start of the table.
func (w table) beginTable(s export.Script, test, rows string) {
	w.line(
		"// %s plays each row of the table.\nfunc %s(t *testing.T) {\nfor _, c := range %s {\nt.Run(c.name, func(t *testing.T) {",
		test, test, rows,
	)
	switch {
	case s.DriverRestarts:
		w.line("service.restart(t)")
	case s.Driver != nil && s.Reset == nil:
		w.line("service.reset(t)")
	case s.Driver != nil:
		w.line("service.begin(t)")
	}
	if s.Reset != nil {
		w.line("first.send(t, nil).wantSuccess()")
	}
	w.line("c.play(t)\n})\n}\n}\n")
	w.line("// %s are the tests.\nvar %s = []testCase{", rows, rows)
}

// row writes the row of a test.
func (w table) row(c export.TestCase) {
	w.remarks("// ", c.About...)
	skip := ""
	if c.Skip != "" {
		skip = "skip: " + export.GoLiteral(c.Skip) + ", "
	}
	w.line("{name: %s, %scalls: []exchange{", export.GoLiteral(c.Name), skip)
	for _, s := range c.Steps {
		if about := remarkOn(export.TestStep{Request: s.Request, Status: s.Status, Broken: s.Broken}); about != "" {
			w.remarks("// ", about)
		}
		w.line("{\n%s%s%s},", w.pause(s), w.request(s.Request), w.answer(s))
	}
	w.line("}},")
}

// pause returns the field for the pause before a step, "" for no pause.
func (w table) pause(s export.TestStep) string {
	if s.Pause == 0 {
		return ""
	}
	return "pause: " + export.GoDuration(s.Pause) + ", // " + export.PauseRemark + "\n"
}

// request returns the fields of a request.
func (w table) request(r export.Request) string {
	text := fmt.Sprintf("method: %s, path: %s,\n", export.GoLiteral(r.Method), w.text(r.Path))
	if len(r.Headers) > 0 {
		text += "header: []string{"
		for _, h := range r.Headers {
			text += w.text(append([]export.TextPart{{Text: h.Name + ": "}}, h.Value...)) + ", "
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

// answer returns the fields for the checks of an answer and for the captured values.
func (w table) answer(s export.TestStep) string {
	text := fmt.Sprintf("status: %d,\n", s.Status)
	if len(s.Checks) > 0 {
		text += "wants: []wanted{\n"
		for _, k := range s.Checks {
			text += fmt.Sprintf("{%s, %s},\n", export.GoLiteral(k.Pointer), export.GoLiteral(string(k.Equals)))
		}
		text += "},\n"
	}
	text += w.assertionFields(s)
	if len(s.Captures) > 0 {
		text += "keeps: []kept{\n"
		for _, t := range s.Captures {
			kind := ""
			if t.Kind != export.CaptureValue {
				kind = ", kind: " + export.GoLiteral(string(t.Kind))
			}
			if t.Pattern != "" {
				kind += ", pattern: " + export.GoLiteral(t.Pattern)
			}
			text += fmt.Sprintf(
				"{name: %s, pointer: %s, header: %s%s},\n", export.GoLiteral(t.CamelCase()), export.GoLiteral(t.Pointer),
				export.GoLiteral(t.Header), kind,
			)
		}
		text += "},\n"
	}
	return text
}

// assertionFields returns the fields for the assertions on an answer.
func (w table) assertionFields(s export.TestStep) string {
	var expects, same, listed, text string
	for _, want := range s.Assertions {
		switch want.Kind {
		case export.AssertStatus:
			text += fmt.Sprintf("statuses: %#v,\n", want.Values)
		case export.AssertUnchanged:
			same += keptField(want)
		case export.AssertListed, export.AssertCovers, export.AssertDisjoint:
			listed += fmt.Sprintf("%s: []kept{\n%s},\n", expectations[want.Kind], keptField(want))
		default:
			expects += want.GoExpression() + ",\n"
		}
	}
	if expects != "" {
		text += "expects: []expectation{\n" + expects + "},\n"
	}
	if same != "" {
		text += "same: []kept{\n" + same + "},\n"
	}
	text += listed
	if s.Broken && expects+same+listed != "" {
		text += "broken: true,\n"
	}
	return text
}

// keptField returns the list item with the captured value and the pointer of an assertion that compares.
func keptField(want export.Assertion) string {
	return fmt.Sprintf("{name: %s, pointer: %s},\n", export.GoLiteral(want.Capture.CamelCase()), export.GoLiteral(want.Pointer))
}

// text returns parts as one Go literal, with placeholders for captured values and variables.
func (w table) text(parts []export.TextPart) string {
	return joinedText(parts, func(p export.TextPart) string {
		if p.Variable != "" {
			return "${env " + p.Variable + "." + string(p.Escaping) + "}"
		}
		return "${" + p.Capture.CamelCase() + "." + string(p.Escaping) + "}"
	})
}

// joinedText returns parts as one Go literal. place returns the placeholder of a part that is not literal.
// A dollar sign in literal text is doubled.
func joinedText(parts []export.TextPart, place func(export.TextPart) string) string {
	text := joined(parts, "", func(text string) string { return strings.ReplaceAll(text, "$", "$$") }, place)
	return export.GoLiteral(text)
}
