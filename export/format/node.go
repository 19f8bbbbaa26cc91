package format

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/assets/templates/run"
	"sonde/export"
)

// node prints a script for the test runner of Node.js.
func node(s export.Script) []byte {
	w := newProgram(javaScript("let reply = await ", "reply = await "), s)
	tests := w.testFunctions(s, "await reset();", "});", func(c export.TestCase) string {
		options := ""
		if c.Skip != "" {
			options = "{ skip: " + w.quote(c.Skip) + " }, "
		}
		return "test(" + w.quote(c.Name) + ", " + options + "async () => {"
	})
	w.region("// ", "head", func() {
		run := "node --test " + fileOf(s, "sonde.test.mjs", "sonde_faults.test.mjs")
		w.remark("", headLines(s, "It needs Node.js 20 or later. SONDE_BASE_URL is the service's URL.", run)...)
		w.line("\nimport { test } from \"node:test\";\n%s", helperImports(tests, "./sonde_helpers.mjs"))
	})
	return []byte(w.String() + tests)
}

// testFunctions returns the tests as JavaScript functions. begin returns the first line of a function,
// reset is the line that resets the service, and end is the last line.
func (w *program) testFunctions(s export.Script, reset, end string, begin func(export.TestCase) string) string {
	return w.tests(s, "", func(c export.TestCase) {
		w.remark("", c.About...)
		w.line("%s\n  %s", begin(c), reset)
		w.calls(c, "  ")
		w.line("%s", end)
	})
}

// helperImports returns the JavaScript statement that imports the helpers which a text calls.
func helperImports(text, from string) string {
	return fmt.Sprintf("import { %s } from %q;", strings.Join(calledNames(text, shared...), ", "), from)
}

// nodeHelpers prints the helpers of files for Node.js.
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
		w.beginCalls(s, "  ", "true", "false")
		w.line("}")
		w.exported(s)
	})
	return []byte(w.String())
}

// sessions writes the JavaScript functions that open the sessions of users.
func (w *program) sessions(s export.Script, helpers, function string) {
	if len(s.Sessions) > 0 {
		w.line("%s", helpers)
	}
	for _, session := range s.Sessions {
		w.line("// %s\nusers.set(%s, %s {", openingComment(session), w.quote(session.Name), function)
		w.opening(session, "  ")
		w.line("  return [%s];\n});\n", w.credentialOptions(session, "  "))
	}
}

// exported writes the end of a helper module: the helpers for faults, if the script needs them, and the
// list of exports.
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

// dotSegments matches a path with a "." or ".." segment, which fetch would resolve.
var dotSegments = regexp.MustCompile(`(?i)/(\.|%2e){1,2}(/|$|\?)`)

// whyNotInNode returns the reason why fetch cannot send the requests of a case, "" if it can.
func whyNotInNode(c export.TestCase) string {
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
		case dotSegments.MatchString(path):
			return "fetch resolves segments of dots in a path"
		}
	}
	return ""
}
