package format

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/assets/templates/run"
	"sonde/export"
)

// node writes a file for the test runner of Node.js.
func node(s export.Script) []byte {
	w := newProgram(javaScript("let reply = await ", "reply = await "), s)
	tests := w.functions(s, "await reset();", "});", func(c export.TestCase) string {
		options := ""
		if c.Skip != "" {
			options = "{ skip: " + w.quote(c.Skip) + " }, "
		}
		return "test(" + w.quote(c.Name) + ", " + options + "async () => {"
	})
	w.region("// ", "head", func() {
		run := "node --test " + fileOf(s, "sonde.test.mjs", "sonde_faults.test.mjs")
		w.remark("", head(s, "It needs Node.js 20 or later. SONDE_BASE_URL is the service's URL.", run)...)
		w.line("\nimport { test } from \"node:test\";\n%s", imports(tests, "./sonde_helpers.mjs"))
	})
	return []byte(w.String() + tests)
}

// functions writes the tests of a script as functions of JavaScript: for each the line that begins
// it, the one that resets the service, and the one that ends it.
func (w *program) functions(s export.Script, reset, end string, begin func(export.TestCase) string) string {
	return w.tests(s, "", func(c export.TestCase) {
		w.remark("", c.About...)
		w.line("%s\n  %s", begin(c), reset)
		w.calls(c, "  ")
		w.line("%s", end)
	})
}

// imports returns the statement of JavaScript that imports what a text calls of the helpers.
func imports(text, from string) string {
	return fmt.Sprintf("import { %s } from %q;", strings.Join(imported(text, shared...), ", "), from)
}

// nodeHelpers writes what files for Node.js share.
func nodeHelpers(s export.Script) []byte {
	w := newProgram(javaScript("let reply = await ", "reply = await "), s)
	w.region("// ", "helpers", func() {
		w.remark("", "The settings and helpers that the tests of this folder share.")
		w.nodeImports(s)
		w.line("\n// baseURL is the service's URL, unless SONDE_BASE_URL is set.\nconst baseURL = %s;\n", w.quote(s.BaseURL))
		w.nodeTLS(s)
		w.line("%s\n%s\n%s", run.Values, run.Reply, run.Node)
		w.sessions(s, run.NodeSessions, "async () =>")
		w.line("// reset brings the service back to its first state.\nasync function reset() {")
		if s.Reset != nil {
			w.line("  (await %s).succeeds();", w.send(*s.Reset, "  "))
		}
		w.begins(s, "  ", "true", "false")
		w.line("}")
		w.exported(s)
	})
	return []byte(w.String())
}

// sessions writes how the sessions of users are opened in JavaScript.
func (w *program) sessions(s export.Script, helpers, function string) {
	if len(s.Sessions) > 0 {
		w.line("%s", helpers)
	}
	for _, session := range s.Sessions {
		w.line("// %s\nusers.set(%s, %s {", about(session), w.quote(session.Name), function)
		w.opening(session, "  ")
		w.line("  return [%s];\n});\n", w.carried(session, "  "))
	}
}

// exported writes the end of a module with helpers.
func (w *program) exported(s export.Script) {
	names := slices.Clone(common)
	if len(s.Sessions) > 0 {
		names = append(names, sessionNames...)
	}
	if s.ShowsFaults {
		w.line("%s", run.JavaScriptExpect)
		names = append(names, expectationNames...)
	}
	w.line("\nexport { %s };", strings.Join(names, ", "))
}

// javaScript returns the syntax of JavaScript.
func javaScript(first, again string) language {
	return language{
		comment: "// ", end: ";", single: true, first: first, again: again, declare: "const ", name: (*export.Capture).CamelCase,
	}
}

// climbs matches a path with a segment of dots, which fetch would resolve.
var climbs = regexp.MustCompile(`(?i)/(\.|%2e){1,2}(/|$|\?)`)

// unfetched returns why fetch cannot send the requests of a case, "" if it can.
func unfetched(c export.TestCase) string {
	for _, s := range c.Steps {
		path := ""
		for _, p := range s.Path {
			path += p.Text
		}
		switch {
		case s.Body != nil && (s.Method == "GET" || s.Method == "HEAD"):
			return "fetch sends no body with " + s.Method
		case s.Method == "TRACE" || s.Method == "CONNECT":
			return "fetch sends no " + s.Method
		case climbs.MatchString(path):
			return "fetch resolves segments of dots in a path"
		}
	}
	return ""
}
