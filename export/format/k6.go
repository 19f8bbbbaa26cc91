package format

import (
	"sonde/assets/templates/run"
	"sonde/export"
)

// k6 writes a script for k6, in which each test is a group.
func k6(s export.Script) []byte {
	w := newProgram(javaScript("let reply = ", "reply = "), s)
	w.region("// ", "head", func() { w.k6Head(s) })
	for _, c := range s.Cases {
		w.region("// ", c.Name, func() {
			w.remark("", c.About...)
			w.line("tests.%s = () => {\n  reset();", c.Name)
			w.steps(c, "  ")
			w.line("};")
		})
	}
	return []byte(w.String())
}

// k6Head writes what comes before the tests.
func (w *program) k6Head(s export.Script) {
	w.remark("", head(s, "It needs k6. SONDE_BASE_URL says where the service is; --vus and --duration make it a load test.", "k6 run sonde.k6.js")...)
	w.line("\nimport { check, group } from \"k6\";\nimport encoding from \"k6/encoding\";\nimport http from \"k6/http\";\n")
	w.line("// A test that fails makes the run fail. A connection is for one request: a service may\n// close it after an answer without saying so.\nexport const options = { thresholds: { checks: [\"rate==1\"] }, insecureSkipTLSVerify: %t, noConnectionReuse: true };\n", s.Insecure)
	w.line("// baseURL is where the service is, unless SONDE_BASE_URL is set.\nconst baseURL = %s;\n", w.quote(s.BaseURL))
	w.line("%s\n%s\n%s", run.Values, run.Reply, run.K6)
	w.line("// reset brings the service back to its first state.\nfunction reset() {")
	if s.Reset != nil {
		w.line("  %s.succeeds();", w.send(*s.Reset, "  "))
	}
	w.line("}\n\n%s", run.K6Tests)
}
