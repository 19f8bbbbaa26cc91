package format

import (
	"sonde/assets/templates/run"
	"sonde/export"
)

// k6 prints a script for k6, in which each test is a group.
func k6(s export.Script) []byte {
	w := newProgram(javaScript("let reply = ", "reply = "), s)
	skips := false
	tests := w.testFunctions(s, "reset();", "};", func(c export.TestCase) string {
		among := "tests"
		if c.Skip != "" {
			among, skips = "skipped", true
		}
		return among + "." + c.Name + " = () => {"
	})
	w.region("// ", "head", func() {
		needs := "It needs " + k6Needs + ". SONDE_BASE_URL is the service's URL; --vus and --duration make it a load test."
		w.remark("", headLines(s, needs, "k6 run "+fileOf(s, "sonde.k6.js", "sonde_faults.k6.js"))...)
		w.line("\nimport { check, group } from \"k6\";\n%s\n", helperImports(tests, "./sonde_helpers.k6.js", shared))
		w.line("// A failing test fails the run. Each request has a connection of its own: a service may close\n" +
			"// one after an answer without notice.")
		w.line(
			"export const options = { thresholds: { checks: [\"rate==1\"] }, insecureSkipTLSVerify: %t, noConnectionReuse: true%s };\n",
			s.Insecure, w.k6TLS(s.TLS),
		)
		w.line("%s", run.K6Tests)
		if skips {
			w.line("// skipped are the tests that do not run, by their names: faults of the service.\nconst skipped = {};")
		}
	})
	return []byte(w.String() + tests)
}

// k6Helpers prints the helpers of k6 scripts.
func k6Helpers(s export.Script) []byte {
	w := newProgram(javaScript("let reply = ", "reply = "), s)
	w.region("// ", "helpers", func() {
		w.remark("", "The settings and helpers that the tests of this folder share.")
		if s.ShowsFaults {
			w.line("\nimport { sleep } from \"k6\";\nimport encoding from \"k6/encoding\";\nimport http from \"k6/http\";\n")
		} else {
			w.line("\nimport encoding from \"k6/encoding\";\nimport http from \"k6/http\";\n")
		}
		w.line("// baseURL is the service's URL, unless SONDE_BASE_URL is set.\nconst baseURL = %s;\n", w.quote(s.BaseURL))
		w.line("%s\n%s\n%s", run.Values, run.Reply, run.K6)
		w.sessions(s, run.K6Sessions, "() =>")
		w.line("// reset brings the service back to its first state.\nfunction reset() {")
		if s.Reset != nil {
			w.line("  %s.succeeds();", w.send(*s.Reset, "  "))
		}
		w.beginCalls(s, "  ", "true", "false")
		w.line("}")
		w.exported(s)
	})
	return []byte(w.String())
}
