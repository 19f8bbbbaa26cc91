package format

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sonde/export"
)

// A Postman collection of version 2.1, with a folder for each test.
type (
	postCollection struct {
		Info     postInfo   `json:"info"`
		Item     []postItem `json:"item"`
		Variable []postPair `json:"variable"`
	}
	postInfo struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Schema      string `json:"schema"`
	}
	postItem struct {
		Name        string         `json:"name"`
		Description string         `json:"description,omitempty"`
		Item        []postItem     `json:"item,omitempty"`
		Request     *postRequest   `json:"request,omitempty"`
		Event       []postEvent    `json:"event,omitempty"`
		Behaviour   map[string]any `json:"protocolProfileBehavior,omitempty"`
	}
	postRequest struct {
		Method string     `json:"method"`
		Header []postPair `json:"header"`
		Auth   *postAuth  `json:"auth,omitempty"`
		Body   *postBody  `json:"body,omitempty"`
		URL    string     `json:"url"`
	}
	postPair struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	postAuth struct {
		Type  string     `json:"type"`
		Basic []postPair `json:"basic"`
	}
	postBody struct {
		Mode string `json:"mode"`
		Raw  string `json:"raw"`
	}
	postEvent struct {
		Listen string     `json:"listen"`
		Script postScript `json:"script"`
	}
	postScript struct {
		Type string   `json:"type"`
		Exec []string `json:"exec"`
	}
)

// postmanAlwaysOmits describes a limit of all collections.
const postmanAlwaysOmits = "Numbers are as exact as in JavaScript."

// postman prints a script as a Postman collection.
func postman(s export.Script) []byte {
	command := "newman run " + fileOf(s, "sonde", "sonde_faults") + ".postman_collection.json" +
		options(s.TLS, "--ssl-extra-ca-certs", "--ssl-client-cert", "--ssl-client-key") + " --env-var base_url=http://127.0.0.1:8080"
	for _, v := range s.Secrets {
		if v.Default == "" {
			command += " --env-var " + v.Name + `="$` + v.Name + `"`
		}
	}
	c := postCollection{
		Info: postInfo{
			Name: s.Title, Schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
			Description: strings.Join(
				headLines(s, "It needs Newman, or Postman. The variable base_url is the service's URL.", command),
				"\n",
			),
		},
		Variable: []postPair{{"base_url", s.BaseURL}},
	}
	for _, v := range s.Secrets {
		if v.Default != "" {
			c.Variable = append(c.Variable, postPair{v.Name, v.Default})
		}
	}
	all := openingCase(s)
	if first := openingSteps(s); len(first) > 0 {
		c.Item = append(
			c.Item,
			postItem{Name: all.Name, Description: "The users log in, once for all tests.", Item: postSteps(s, all, first)},
		)
	}
	again := reopeningSteps(s)
	for i, t := range s.Cases {
		c.Item = append(c.Item, postTest(s, t, postSteps(s, all, again[i])))
	}
	return indented(c)
}

// indented returns a value as indented JSON.
func indented(v any) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // the documents of this package can always be encoded
	return []byte(b.String())
}

// postSteps returns the requests of steps.
func postSteps(s export.Script, c export.TestCase, steps []export.TestStep) []postItem {
	var all []postItem
	for _, step := range steps {
		all = append(all, postCall(s, step.Request, string(step.Op), postTests(c, step)))
	}
	return all
}

// postTest returns the folder of a case. The folder begins with the request that resets the service, if there is one,
// and with the requests in again, which log users in again.
func postTest(s export.Script, c export.TestCase, again []postItem) postItem {
	folder := postItem{Name: c.Name, Description: strings.Join(c.About, "\n")}
	if s.Reset != nil {
		script := []string{`pm.test("it is reset", () => pm.expect(pm.response.code).to.be.within(200, 299));`}
		folder.Item = append(folder.Item, postCall(s, *s.Reset, "reset", script))
	}
	folder.Item = append(folder.Item, again...)
	folder.Item = append(folder.Item, postSteps(s, c, c.Steps)...)
	return folder
}

func postCall(s export.Script, r export.Request, name string, script []string) postItem {
	base := "{{base_url}}"
	if r.GoesToOtherHost() {
		base = ""
	}
	request := &postRequest{Method: r.Method, Header: []postPair{}, URL: base + postParts(r.Path)}
	for _, h := range r.Headers {
		request.Header = append(request.Header, postPair{h.Name, postParts(h.Value)})
	}
	if !slices.ContainsFunc(r.Headers, func(h export.MessageField) bool { return strings.EqualFold(h.Name, "Connection") }) {
		request.Header = append(request.Header, postPair{"Connection", "close"}) // the service may close an idle connection without notice
	}
	if r.Basic != nil {
		user, password, _ := strings.Cut(postParts(r.Basic), ":")
		request.Auth = &postAuth{"basic", []postPair{{"username", user}, {"password", password}}}
	}
	if r.Body != nil {
		request.Body = &postBody{"raw", postParts(r.Body.Parts)}
	}
	behaviour := map[string]any{
		"followRedirects":    false,
		"disableUrlEncoding": true,
		"disableBodyPruning": true,
		"disableCookies":     true,
	}
	if s.Insecure {
		behaviour["strictSSL"] = false
	}
	events := []postEvent{{"test", postScript{"text/javascript", script}}}
	if before := postSecrets(r); len(before) > 0 {
		events = slices.Insert(events, 0, postEvent{"prerequest", postScript{"text/javascript", before}})
	}
	return postItem{Name: name, Request: request, Event: events, Behaviour: behaviour}
}

// postParts returns parts as one text, with variables for captured values and environment variables.
func postParts(parts []export.TextPart) string {
	return joined(parts, "", unchanged, func(p export.TextPart) string {
		return "{{" + postName(p) + "}}"
	})
}

// postName returns the name of the variable that has a value, escaped for its place.
func postName(p export.TextPart) string {
	name := p.Variable
	if p.Capture != nil {
		name = p.Capture.Join("_")
	}
	if p.Escaping == export.EscapeNone {
		return name
	}
	return name + "_" + string(p.Escaping)
}

// postSecrets returns the script that runs before a request. It escapes environment variables for their
// places.
func postSecrets(r export.Request) []string {
	var all []string
	for _, p := range allParts(r) {
		if p.Variable == "" || p.Escaping == export.EscapeNone {
			continue
		}
		spelled := map[bool]string{true: "JSON.stringify", false: "encodeURIComponent"}[p.Escaping == export.EscapeJSON]
		line := fmt.Sprintf("pm.variables.set(%q, %s(pm.variables.get(%q)));", postName(p), spelled, p.Variable)
		if !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return all
}

// postEscapes are the JavaScript expressions that escape a value.
var postEscapes = map[export.Escaping]string{
	export.EscapeNone:   "text(%s)",
	export.EscapeJSON:   "JSON.stringify(%s)",
	export.EscapeNumber: "number(%s)",
	export.EscapeQuery:  "encodeURIComponent(text(%s))",
	export.EscapeForm:   "encodeURIComponent(text(%s))",
	export.EscapePath:   "segment(%s)",
}

// postTests returns the script that runs after a request: the assertions on the answer, and the captures.
func postTests(c export.TestCase, s export.TestStep) []string {
	w := newProgram(javaScript("", ""), export.Script{})
	if about := remarkOn(s); about != "" {
		w.remark("", about)
	}
	test := "pm.test"
	if c.Skip != "" {
		w.remark("", "It is skipped, as "+c.Skip+".")
		test = "pm.test.skip"
	}
	if s.Status != 0 {
		w.line("%s(\"the status is %d\", () => pm.response.to.have.status(%d));", test, s.Status, s.Status)
	}
	if len(s.Checks) > 0 || slices.ContainsFunc(s.Captures, inPostmanJSON) || slices.ContainsFunc(s.Assertions, inPostmanBody) {
		w.line("%s", postLookup)
	}
	for _, want := range s.Assertions {
		w.line(
			"%s(%s, () => pm.expect(%s).to.equal(%t));", test, w.quote(want.String()), w.postAssertion(want),
			!s.Broken || want.Kind == export.AssertStatus,
		)
	}
	for _, k := range s.Checks {
		want := "to.not.be.undefined"
		if len(k.Equals) > 0 {
			want = "to.eql(" + javaScriptJSON(k.Equals) + ")"
		}
		w.line("%s(%s, () => pm.expect(at(%s)).%s);", test, w.quote("what is at "+k.Pointer), w.quote(k.Pointer), want)
	}
	w.captures(c, s)
	return strings.Split(strings.TrimSuffix(w.String(), "\n"), "\n")
}

// postLookup declares the JavaScript function that returns the value at a JSON pointer.
const postLookup = `const at = (pointer) => pointer.split("/").slice(1).reduce(` +
	`(v, t) => (v === null || v === undefined ? undefined : v[t.replace(/~1/g, "/").replace(/~0/g, "~")]), ` +
	`pm.response.json());`

// inPostmanBody reports whether an assertion checks a value in the body.
func inPostmanBody(w export.Assertion) bool {
	return !slices.Contains([]export.AssertionKind{export.AssertStatus, export.AssertHeader, export.AssertNoMatch}, w.Kind)
}

// inPostmanJSON reports whether a captured value is in a JSON body.
func inPostmanJSON(t *export.Capture) bool {
	return t.Kind == export.CaptureValue && t.Header == "" && (t.Pattern == "" || t.Pointer != "")
}

// whyNoPostmanAssertion returns the reason why a collection cannot express an assertion, "" if it can.
func whyNoPostmanAssertion(w export.Assertion) string {
	if strings.Contains(w.Pointer, "*") || w.Kind == export.AssertListed {
		return "a test in a collection is about a single value"
	}
	return ""
}

// postTypes are the JavaScript conditions for JSON types.
var postTypes = map[string]string{
	"null":    "v === null",
	"array":   "Array.isArray(v)",
	"object":  "v !== null && typeof v === \"object\" && !Array.isArray(v)",
	"integer": "Number.isInteger(v)",
	"number":  "typeof v === \"number\"",
	"string":  "typeof v === \"string\"",
	"boolean": "typeof v === \"boolean\"",
}

// postAssertion returns the JavaScript expression that is true if an assertion holds.
func (w *program) postAssertion(want export.Assertion) string {
	pattern := func() string { return "new RegExp(" + w.quote(want.Values[0]) + ")" }
	value := func(holds string) string { return "((v) => " + holds + ")(at(" + w.quote(want.Pointer) + "))" }
	switch want.Kind {
	case export.AssertStatus:
		return "/" + statusPattern(want.Values) + "/.test(pm.response.code)"
	case export.AssertHeader:
		return pattern() + ".test(pm.response.headers.get(" + w.quote(want.Header) + ") || \"\")"
	case export.AssertNoMatch:
		return "!" + pattern() + ".test(pm.response.text())"
	case export.AssertAbsent:
		return value("v === undefined")
	case export.AssertType:
		all := []string{"v === undefined"}
		for _, t := range want.Values {
			all = append(all, postTypes[t])
		}
		return value(strings.Join(all, " || "))
	case export.AssertOneOf:
		return value("v === undefined || [" + strings.Join(want.Values, ", ") + "].some((w) => JSON.stringify(w) === JSON.stringify(v))")
	case export.AssertPattern:
		return value("typeof v !== \"string\" || " + pattern() + ".test(v)")
	case export.AssertUnchanged:
		return value("JSON.stringify(v) === pm.collectionVariables.get(" + w.quote(want.Capture.Join("_")+"_json") + ")")
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
func (w *program) captures(c export.TestCase, s export.TestStep) {
	if len(s.Captures) > 0 {
		w.line("const text = (v) => (typeof v === \"string\" ? v : JSON.stringify(v));")
		w.line("const number = (v) => (/^-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?$/.test(text(v)) ? text(v) : JSON.stringify(v));")
		w.line("const segment = (v) => (/^\\.*$/.test(text(v)) ? text(v).replace(/\\./g, \"%%2E\") : encodeURIComponent(text(v)));")
	}
	for _, t := range s.Captures {
		from := w.postCapture(t)
		set := map[string]bool{}
		asJSON := t.Join("_") + "_json"
		compares := func(want export.Assertion) bool { return want.Capture == t }
		for _, later := range c.Steps {
			if slices.ContainsFunc(later.Assertions, compares) && !set[asJSON] {
				set[asJSON] = true
				w.line("pm.collectionVariables.set(%s, %s);", w.quote(asJSON), fmt.Sprintf(postEscapes[export.EscapeJSON], from))
			}
			for _, p := range allParts(later.Request) {
				if p.Capture == t && !set[postName(p)] {
					set[postName(p)] = true
					w.line("pm.collectionVariables.set(%s, %s);", w.quote(postName(p)), fmt.Sprintf(postEscapes[p.Escaping], from))
				}
			}
		}
	}
}

// postCapture returns the JavaScript expression for a captured value.
func (w *program) postCapture(t *export.Capture) string {
	switch {
	case t.Pattern != "" && t.URLPlace() == "":
		return w.postPart(t, "pm.response.text()")
	case t.Pattern != "" && t.Header != "":
		return "decodeURIComponent(" + w.postPart(t, "pm.response.headers.get("+w.quote(t.Header)+")") + ")"
	case t.Pattern != "":
		return "decodeURIComponent(" + w.postPart(t, "at("+w.quote(t.Pointer)+")") + ")"
	case t.Kind == export.CaptureHeader:
		return "pm.response.headers.get(" + w.quote(t.Header) + ")"
	case t.Kind == export.CaptureBody:
		return "(() => { try { return pm.response.json(); } catch (_) { return pm.response.text().trim(); } })()"
	case t.Kind == export.CaptureCookies:
		return `pm.response.headers.filter((h) => h.key.toLowerCase() === "set-cookie"` +
			` && !(/;\s*max-age=-?\d/i.test(h.value) ? /;\s*max-age=(0|-)/i.test(h.value) : ` +
			`Date.parse((/;\s*expires=([a-z][^;]*)/i.exec(h.value) || ["", ""])[1].replace(/-/g, " ")) <= Date.now()))` +
			`.map((h) => h.value.split(";")[0].trim()).filter((c) => /=./.test(c)).join("; ")`
	case t.Header != "":
		return "decodeURIComponent(pm.response.headers.get(" + w.quote(t.Header) +
			").replace(/[?#].*$/, \"\").replace(/\\/+$/, \"\").split(\"/\").pop())"
	}
	return "at(" + w.quote(t.Pointer) + ")"
}

// postPart returns the JavaScript expression for the value that the pattern of a capture finds in a text.
func (w *program) postPart(t *export.Capture, text string) string {
	return "new RegExp(" + w.quote(t.Pattern) + ").exec(" + text + ")[1]"
}

// whyNotInPostman returns the reason why a collection cannot express a case, "" if it can.
func whyNotInPostman(c export.TestCase) string {
	for _, s := range c.Steps {
		for _, p := range allParts(s.Request) {
			if strings.Contains(p.Text, "{{") {
				return "Postman reads text between {{ and }} as a variable"
			}
		}
	}
	return whyNotAsText(c)
}

// whyNotAsText returns the reason why a JSON document cannot express a case, "" if it can.
func whyNotAsText(c export.TestCase) string {
	for _, s := range c.Steps {
		for _, p := range allParts(s.Request) {
			if !utf8.ValidString(p.Text) {
				return "its body is not UTF-8, and the format has only texts"
			}
		}
	}
	return ""
}
