package format

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/export"
)

// answerAPI is how the JavaScript of a request sees its answer, sets variables and reports tests, in a tool that runs
// such scripts: Postman, Bruno, and tools for .http files. Names and titles are quoted texts.
type answerAPI struct {
	status, text, json, setCookies string // expressions; json is the value of a JSON body, setCookies a list of texts
	header, get                    func(name string) string
	set                            func(name, value string) string
	skips                          bool   // the tool can skip a test
	helpers                        string // functions that test needs to compare JSON values
	// test returns the statement that reports whether a value is as wanted.
	test func(title, value string, want wantedValue, skip bool) string
}

// wantedValue is what a script expects of a value: that it equals a number or a boolean, that it has the content of a
// JSON value, or, if both are "", that it is there. Both are expressions.
type wantedValue struct{ equals, content string }

// chai returns the assertion as a call of the library Chai.
func (v wantedValue) chai(value string) string {
	switch {
	case v.equals != "":
		return "expect(" + value + ").to.equal(" + v.equals + ")"
	case v.content != "":
		return "expect(" + value + ").to.eql(" + v.content + ")"
	}
	return "expect(" + value + ").to.not.be.undefined"
}

// answerProgram is a program that prints such scripts.
type answerProgram struct {
	*program
	api answerAPI
}

func newAnswerProgram(api answerAPI) answerProgram {
	return answerProgram{newProgram(javaScript("", ""), export.Script{}), api}
}

// scriptVariable returns the name of the variable that has a value, escaped for its place.
func scriptVariable(p export.TextPart) string {
	name := p.Variable
	if p.Capture != nil {
		name = p.Capture.Join("_")
	}
	if p.Escaping == export.EscapeNone {
		return name
	}
	return name + "_" + string(p.Escaping)
}

// secretScript returns the script that runs before a request. It escapes environment variables for their places, by the
// statements that set returns.
func secretScript(r export.Request, set func(name, escape, variable string) string) []string {
	var all []string
	for _, p := range allParts(r) {
		if p.Variable == "" || p.Escaping == export.EscapeNone {
			continue
		}
		escape := map[bool]string{true: "JSON.stringify", false: "encodeURIComponent"}[p.Escaping == export.EscapeJSON]
		line := set(scriptVariable(p), escape, p.Variable)
		if !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return all
}

// scriptEscapes are the JavaScript expressions that escape a value.
var scriptEscapes = map[export.Escaping]string{
	export.EscapeNone:   "text(%s)",
	export.EscapeJSON:   "JSON.stringify(%s)",
	export.EscapeNumber: "number(%s)",
	export.EscapeQuery:  "encodeURIComponent(text(%s))",
	export.EscapeForm:   "encodeURIComponent(text(%s))",
	export.EscapePath:   "segment(%s)",
}

// answerScript returns the script that runs after a request: the assertions on the answer, and the captures.
func answerScript(api answerAPI, c export.TestCase, s export.TestStep) []string {
	w := newAnswerProgram(api)
	if about := remarkOn(s); about != "" {
		w.remark("", about)
	}
	skip := c.Skip != ""
	if skip {
		w.remark("", "It is skipped, as "+c.Skip+".")
	}
	if skip && !api.skips {
		return w.lines()
	}
	if s.Status != 0 {
		want := wantedValue{equals: strconv.Itoa(s.Status)}
		w.line("%s", api.test(w.quote("the status is "+want.equals), api.status, want, skip))
	}
	if len(s.Checks) > 0 || slices.ContainsFunc(s.Captures, isInJSON) || slices.ContainsFunc(s.Assertions, isOnBody) {
		w.line("%s", w.lookup())
		if api.helpers != "" && len(s.Checks) > 0 {
			w.line("%s", api.helpers)
		}
	}
	for _, want := range s.Assertions {
		holds := !s.Broken || want.Kind == export.AssertStatus
		w.line("%s", api.test(w.quote(want.String()), w.assertion(want), wantedValue{equals: strconv.FormatBool(holds)}, skip))
	}
	for _, k := range s.Checks {
		var want wantedValue
		if len(k.Equals) > 0 {
			want.content = javaScriptJSON(k.Equals)
		}
		w.line("%s", api.test(w.quote("what is at "+k.Pointer), "at("+w.quote(k.Pointer)+")", want, skip))
	}
	w.captures(c, s)
	return w.lines()
}

// lines returns the lines of the script.
func (w answerProgram) lines() []string {
	return strings.Split(strings.TrimSuffix(w.String(), "\n"), "\n")
}

// lookup declares the JavaScript function that returns the value at a JSON pointer.
func (w answerProgram) lookup() string {
	return `const at = (pointer) => pointer.split("/").slice(1).reduce(` +
		`(v, t) => (v === null || v === undefined ? undefined : v[t.replace(/~1/g, "/").replace(/~0/g, "~")]), ` +
		w.api.json + `);`
}

// isOnBody reports whether an assertion checks a value in the body.
func isOnBody(w export.Assertion) bool {
	return !slices.Contains([]export.AssertionKind{export.AssertStatus, export.AssertHeader, export.AssertNoMatch}, w.Kind)
}

// isInJSON reports whether a captured value is in a JSON body.
func isInJSON(t *export.Capture) bool {
	return t.Kind == export.CaptureValue && t.Header == "" && (t.Pattern == "" || t.Pointer != "")
}

// whyNoScriptAssertion returns the reason why a script cannot express an assertion, "" if it can.
func whyNoScriptAssertion(w export.Assertion) string {
	if strings.Contains(w.Pointer, "*") || w.Kind == export.AssertListed {
		return "a test of a request is about a single value"
	}
	return ""
}

// scriptTypes are the JavaScript conditions for JSON types.
var scriptTypes = map[string]string{
	"null":    "v === null",
	"array":   "Array.isArray(v)",
	"object":  "v !== null && typeof v === \"object\" && !Array.isArray(v)",
	"integer": "Number.isInteger(v)",
	"number":  "typeof v === \"number\"",
	"string":  "typeof v === \"string\"",
	"boolean": "typeof v === \"boolean\"",
}

// assertion returns the JavaScript expression that is true if an assertion holds.
func (w answerProgram) assertion(want export.Assertion) string {
	pattern := func() string { return "new RegExp(" + w.quote(want.Values[0]) + ")" }
	value := func(holds string) string { return "((v) => " + holds + ")(at(" + w.quote(want.Pointer) + "))" }
	switch want.Kind {
	case export.AssertStatus:
		return "/" + statusPattern(want.Values) + "/.test(" + w.api.status + ")"
	case export.AssertHeader:
		return pattern() + ".test(" + w.api.header(w.quote(want.Header)) + " || \"\")"
	case export.AssertNoMatch:
		return "!" + pattern() + ".test(" + w.api.text + ")"
	case export.AssertAbsent:
		return value("v === undefined")
	case export.AssertType:
		all := []string{"v === undefined"}
		for _, t := range want.Values {
			all = append(all, scriptTypes[t])
		}
		return value(strings.Join(all, " || "))
	case export.AssertOneOf:
		return value("v === undefined || [" + strings.Join(want.Values, ", ") + "].some((w) => JSON.stringify(w) === JSON.stringify(v))")
	case export.AssertPattern:
		return value("typeof v !== \"string\" || " + pattern() + ".test(v)")
	case export.AssertUnchanged:
		return value("JSON.stringify(v) === " + w.api.get(w.quote(want.Capture.Join("_")+"_json")))
	}
	return value("v !== undefined")
}

// javaScriptJSON returns JSON as a JavaScript expression that parses it. A literal would not work, because
// __proto__ has a special meaning in literals.
func javaScriptJSON(value json.RawMessage) string {
	w := newProgram(javaScript("", ""), export.Script{})
	return "JSON.parse(" + w.quote(string(value)) + ")"
}

// captures writes the statements that set the variables for later calls.
func (w answerProgram) captures(c export.TestCase, s export.TestStep) {
	if len(s.Captures) > 0 {
		w.line("const text = (v) => (typeof v === \"string\" ? v : JSON.stringify(v));")
		w.line("const number = (v) => (/^-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?$/.test(text(v)) ? text(v) : JSON.stringify(v));")
		w.line("const segment = (v) => (/^\\.*$/.test(text(v)) ? text(v).replace(/\\./g, \"%%2E\") : encodeURIComponent(text(v)));")
	}
	for _, t := range s.Captures {
		from := w.capture(t)
		set := map[string]bool{}
		asJSON := t.Join("_") + "_json"
		compares := func(want export.Assertion) bool { return want.Capture == t }
		for _, later := range c.Steps {
			if slices.ContainsFunc(later.Assertions, compares) && !set[asJSON] {
				set[asJSON] = true
				w.line("%s", w.api.set(w.quote(asJSON), fmt.Sprintf(scriptEscapes[export.EscapeJSON], from)))
			}
			for _, p := range allParts(later.Request) {
				if p.Capture == t && !set[scriptVariable(p)] {
					set[scriptVariable(p)] = true
					w.line("%s", w.api.set(w.quote(scriptVariable(p)), fmt.Sprintf(scriptEscapes[p.Escaping], from)))
				}
			}
		}
	}
}

// capture returns the JavaScript expression for a captured value.
func (w answerProgram) capture(t *export.Capture) string {
	switch {
	case t.Pattern != "" && t.URLPlace() == "":
		return w.part(t, w.api.text)
	case t.Pattern != "" && t.Header != "":
		return "decodeURIComponent(" + w.part(t, w.api.header(w.quote(t.Header))) + ")"
	case t.Pattern != "":
		return "decodeURIComponent(" + w.part(t, "at("+w.quote(t.Pointer)+")") + ")"
	case t.Kind == export.CaptureHeader:
		return w.api.header(w.quote(t.Header))
	case t.Kind == export.CaptureBody:
		return "(() => { try { return " + w.api.json + "; } catch (_) { return " + w.api.text + ".trim(); } })()"
	case t.Kind == export.CaptureCookies:
		return w.api.setCookies + `.filter((c) => !(/;\s*max-age=-?\d/i.test(c) ? /;\s*max-age=(0|-)/i.test(c) : ` +
			`Date.parse((/;\s*expires=([a-z][^;]*)/i.exec(c) || ["", ""])[1].replace(/-/g, " ")) <= Date.now()))` +
			`.map((c) => c.split(";")[0].trim()).filter((c) => /=./.test(c)).join("; ")`
	case t.Header != "":
		return "decodeURIComponent(" + w.api.header(w.quote(t.Header)) +
			".replace(/[?#].*$/, \"\").replace(/\\/+$/, \"\").split(\"/\").pop())"
	}
	return "at(" + w.quote(t.Pointer) + ")"
}

// part returns the JavaScript expression for the value that the pattern of a capture finds in a text.
func (w answerProgram) part(t *export.Capture, text string) string {
	return "new RegExp(" + w.quote(t.Pattern) + ").exec(" + text + ")[1]"
}
