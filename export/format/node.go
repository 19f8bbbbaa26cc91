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
	w := nodeProgram(s)
	start, end := "async () => {", "});"
	if s.Play != nil {
		start, end = "played(async () => {", "}));"
	}
	tests := w.testFunctions(s, "await reset();", end, func(c export.TestCase) string {
		options := ""
		if c.Skip != "" {
			options = "{ skip: " + w.quote(c.Skip) + " }, "
		}
		return "test(" + w.quote(c.Name) + ", " + options + start
	})
	w.region("// ", "head", func() {
		run := "node --test " + fileOf(s, "sonde.test.mjs", "sonde_faults.test.mjs")
		w.remark("", headLines(s, "It needs "+nodeNeeds+". SONDE_BASE_URL is the service's URL.", run)...)
		w.line("\nimport { test } from \"node:test\";\n%s", helperImports(tests, "./sonde_helpers.mjs", helperNames(s)))
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

// nodeProgram returns a program for Node.js.
func nodeProgram(s export.Script) *program {
	l := javaScript("let reply = await ", "reply = await ")
	l.wait = "await "
	return newProgram(l, s)
}

// helperImports returns the JavaScript statement that imports helpers from a module: those listed in names that
// the text calls.
func helperImports(text, from string, names []string) string {
	return fmt.Sprintf("import { %s } from %q;", strings.Join(calledNames(text, names...), ", "), from)
}

// nodeHelpers prints the helpers of files for Node.js.
func nodeHelpers(s export.Script) []byte {
	w := nodeProgram(s)
	w.region("// ", "helpers", func() {
		w.remark("", "The settings and helpers that the tests of this folder share.")
		w.nodeImports(s)
		declare := "const"
		if s.Play != nil {
			declare = "let"
		}
		w.line("\n// baseURL is the service's URL, unless SONDE_BASE_URL is set.\n%s baseURL = %s;\n", declare, w.quote(s.BaseURL))
		w.nodeTLS(s)
		w.line("%s\n%s\n%s", run.Values, run.Reply, run.Node)
		w.sessions(s, run.NodeSessions, "async () =>")
		w.line("// reset brings the service back to its first state.\nasync function reset() {")
		w.resetCalls(s, "  ")
		w.beginCalls(s, "  ", "true", "false")
		w.line("}")
		w.nodeHosts(s)
		if s.ShowsFaults {
			w.line("\n// sleep waits before lists are read, which may show only after a moment what was written.\n" +
				"const sleep = (seconds) => new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });")
		}
		w.exported(s)
	})
	return []byte(w.String())
}

// nodeHosts writes the helpers that start the service and play hosts, if the script needs them.
func (w *program) nodeHosts(s export.Script) {
	if s.Play == nil {
		return
	}
	w.line("\n// servers are the hosts that servers of the tests play.\nconst servers = [%s];\n", w.quotedList(s.Play.Servers))
	if p := s.Play.Service; p == nil {
		w.line("const service = null; // the tests do not start the service\n")
	} else {
		w.line("// service is the program that the tests start, unless SONDE_BASE_URL is set.\nconst service = {")
		for _, member := range [][2]string{
			{"base", w.quote(s.Play.BaseURL)},
			{"command", "[" + w.quotedList(p.Command) + "]"},
			{"folder", w.quote(p.Dir)},
			{"env", "{" + w.pairs(p.Env, ": ") + "}"},
			{"port", fmt.Sprint(p.Port)},
			{"readyPath", w.quote(readyPath(p))},
			{"readyStatus", fmt.Sprint(p.Ready.Status)},
			{"readyTimeout", seconds(readyTimeout(p))},
			{"stopSignal", w.quote("SIG" + p.Stop.Signal)},
			{"stopTimeout", seconds(stopTimeout(p))},
		} {
			w.line("  %s: %s,", member[0], member[1])
		}
		w.line("};\n")
	}
	w.line("%s", run.NodeHosts)
	if r := s.Play.Restores; r != nil {
		w.line("// snapshots has the snapshots of the recording. restore restores one; if restore is empty, stateFiles are replaced.")
		w.line("const snapshots = %s, restore = [%s];", w.quote(r.Snapshots), w.quotedList(r.Command))
		w.line("const stateFiles = [%s];\n\n%s", w.quotedList(r.Files), run.NodeSnapshots)
	}
	if len(s.Play.Permanent) > 0 {
		w.line("// These stubs answer in all tests, after those of the test itself.")
		w.hostStubs(s.Play.Permanent, "")
	}
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
	names = append(names, playNames(s.Play)...)
	if s.ShowsFaults {
		w.line("%s", run.JavaScriptExpect)
		names = append(names, expectationNames...)
	}
	w.line("\nexport { %s };", strings.Join(names, ", "))
}

// javaScript returns the syntax of JavaScript, with these values of first and again.
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
