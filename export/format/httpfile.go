package format

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sonde/export"
)

// httpFile prints a script as a .http file, as VS Code with httpYac and JetBrains' HTTP Client run it. Scripts after the
// requests have the assertions.
func httpFile(s export.Script) []byte {
	w := httpWriter{writer: newWriter(), script: s, public: publicValues(s)}
	command := "httpyac send --all " + fileOf(s, "sonde.http", "sonde_faults.http")
	if s.Insecure {
		command += " --insecure"
	}
	first := true
	for _, v := range s.Secrets {
		if v.Default == "" && first {
			command, first = command+" --var", false
		}
		if v.Default == "" {
			command += " " + v.Name + `="$` + v.Name + `"`
		}
	}
	needs := "It needs " + httpNeeds + ". The variable base_url below is the service's URL."
	all := openingCase(s)
	w.region("### ", "head", func() {
		w.remarks("# ", headLines(s, needs, command)...)
		w.line("\n@base_url = %s", cmp.Or(s.BaseURL, "http://127.0.0.1:8080"))
		for _, v := range s.Secrets {
			if v.Default != "" {
				w.line("@%s = %s", v.Name, v.Default)
			}
		}
		w.steps(all, openingSteps(s))
	})
	again := reopeningSteps(s)
	for i, c := range s.Cases {
		w.region("### ", c.Name, func() {
			w.remarks("# ", c.About...)
			w.test(c, all, again[i])
		})
	}
	return []byte(w.String())
}

// httpWriter prints a .http file.
type httpWriter struct {
	writer
	script export.Script
	public map[string]string
}

// test writes a case: the request that resets the service, the steps that log users in again, and its own steps.
func (w *httpWriter) test(c, all export.TestCase, again []export.TestStep) {
	if r := w.script.Reset; r != nil && c.Skip == "" {
		w.request(c, c.Name+": reset", export.TestStep{Request: *r}, []string{httpAnswers.test(
			`"it is reset"`, "response.status >= 200 && response.status < 300", wantedValue{equals: "true"}, false,
		)})
	}
	w.steps(all, again)
	w.steps(c, c.Steps)
}

// steps writes steps of a case.
func (w *httpWriter) steps(c export.TestCase, steps []export.TestStep) {
	for i, step := range steps {
		w.request(c, fmt.Sprintf("%s: %d. %s", c.Name, i+1, step.Op), step, answerScript(httpAnswers, c, step))
	}
}

// request writes a request with its script.
func (w *httpWriter) request(c export.TestCase, title string, s export.TestStep, script []string) {
	w.line("\n### %s\n# @no-redirect\n# @no-cookie-jar", oneLine(title))
	if w.script.Insecure {
		w.line("# @no-reject-unauthorized")
	}
	if c.Skip != "" {
		w.line("# @disabled")
	}
	if s.Pause > 0 {
		w.line("# @sleep %d", s.Pause.Milliseconds())
	}
	if before := secretScript(s.Request, w.secret); len(before) > 0 {
		w.line("< {%%\n  %s\n%%}", strings.Join(before, "\n  "))
	}
	base := "{{base_url}}"
	if s.GoesToOtherHost() {
		base = ""
	}
	w.line("%s %s%s", s.Method, base, variableParts(s.Path))
	hasConnection := false
	for _, h := range s.Headers {
		hasConnection = hasConnection || strings.EqualFold(h.Name, "Connection")
		w.line("%s", strings.TrimRight(h.Name+": "+variableParts(h.Value), " "))
	}
	if !hasConnection {
		w.line("Connection: close") // the service may close an idle connection without notice
	}
	if s.Basic != nil {
		w.line("Authorization: Basic %s", httpBasic(s.Basic))
	}
	if hasText(s.Body) {
		w.line("\n%s", variableParts(s.Body.Parts))
	}
	if text := strings.Join(script, "\n  "); strings.TrimSpace(text) != "" {
		w.line("\n> {%%\n  %s\n%%}", text)
	}
}

// hasText reports whether there is a body that is not empty.
func hasText(b *export.RequestBody) bool {
	return b != nil && slices.ContainsFunc(b.Parts, func(p export.TextPart) bool { return p.Text != "" || !isText(p) })
}

// oneLine returns a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// variableParts returns parts as one text, with variables such as {{name}} for captured values and environment variables.
func variableParts(parts []export.TextPart) string {
	return joined(parts, "", unchanged, func(p export.TextPart) string { return "{{" + scriptVariable(p) + "}}" })
}

// httpBasic returns the credentials of basic authentication: in base64, or "user:password" if one is a variable.
func httpBasic(parts []export.TextPart) string {
	if text, ok := fixed(parts); ok {
		return base64.StdEncoding.EncodeToString([]byte(text))
	}
	return variableParts(parts)
}

// secret returns the statement that sets a variable to an escaped value of an environment variable.
func (w *httpWriter) secret(name, escape, variable string) string {
	value := fmt.Sprintf("request.variables.get(%q)", variable)
	if text, isPublic := w.public[variable]; isPublic {
		value = newProgram(javaScript("", ""), export.Script{}).quote(text)
	}
	return fmt.Sprintf("request.variables.set(%q, %s(%s));", name, escape, value)
}

// httpAnswers is how a script in a .http file sees an answer.
var httpAnswers = answerAPI{
	status: "response.status",
	// httpYac parses XML, too.
	text:       `((b) => (typeof b === "string" ? b : b && b.documentElement ? String(b) : JSON.stringify(b)))(response.body)`,
	json:       `(typeof response.body === "string" ? JSON.parse(response.body) : response.body)`,
	setCookies: `(response.headers.valuesOf("Set-Cookie") || [])`,
	header:     func(name string) string { return "response.headers.valueOf(" + name + ")" },
	get:        func(name string) string { return "client.global.get(" + name + ")" },
	set:        func(name, value string) string { return "client.global.set(" + name + ", " + value + ");" },
	helpers: `const same = (a, b) => a === b || (a !== null && b !== null && typeof a === "object" && typeof b === "object" && ` +
		`Array.isArray(a) === Array.isArray(b) && Object.keys(a).length === Object.keys(b).length && ` +
		`Object.keys(a).every((k) => same(a[k], b[k])));`,
	test: func(title, value string, want wantedValue, _ bool) string {
		holds := value + " !== undefined"
		switch {
		case want.equals == "true":
			holds = value
		case want.equals != "":
			holds = value + " === " + want.equals
		case want.content != "":
			holds = "same(" + value + ", " + want.content + ")"
		}
		return "client.test(" + title + ", () => { client.assert(" + holds + ", " + title + "); });"
	},
}

// httpMeaning matches a line of a body that has a meaning in a .http file.
var httpMeaning = regexp.MustCompile(`(?m)^\s*(#|//|@|<[\s@>]|>[\s>]|\?\?|\{\{|HTTP/)`)

// whyNotInHTTP returns the reason why a .http file cannot express a case, "" if it can.
func whyNotInHTTP(c export.TestCase) string {
	for _, s := range c.Steps {
		for _, p := range allParts(s.Request) {
			switch {
			case strings.Contains(p.Text, "{{"):
				return "text between {{ and }} is a variable"
			case !utf8.ValidString(p.Text):
				return "its body is not UTF-8, and the format has only texts"
			}
		}
		if path, err := url.PathUnescape(literalText(s.Path)); err != nil || !utf8.ValidString(path) {
			return "httpYac sends no URL whose escapes are not UTF-8"
		}
		if slices.ContainsFunc(s.Captures, isInMarkup) {
			return "its scripts get XML as a document, in which the text of an answer is not found"
		}
		for _, h := range s.Headers {
			if strings.HasSuffix(literalText(h.Value), ",") {
				return "a comma at the end of a header continues it on the next line"
			}
		}
		if why := whyNoTextBody(s.Body); why != "" {
			return why
		}
		if s.Body != nil && httpMeaning.MatchString(literalText(s.Body.Parts)) {
			return "a line of its body begins as a comment, a script or a file does"
		}
	}
	return ""
}

// isInMarkup reports whether a captured value is in the text of a body that is probably XML.
func isInMarkup(t *export.Capture) bool {
	return t.URLPlace() == "" && strings.Contains(t.Pattern, "<")
}

// whyNoTextBody returns the reason why a body cannot be lines in a file, "" if it can.
func whyNoTextBody(b *export.RequestBody) string {
	if b == nil {
		return ""
	}
	text := literalText(b.Parts)
	switch {
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' }):
		return "its body has control characters"
	case !b.JSON && strings.TrimSpace(text) != text:
		return "its body begins or ends with white space"
	}
	return ""
}
