package format

import (
	"regexp"

	"sonde/assets/templates/run"
	"sonde/export"
)

// node writes a file for the test runner of Node.js.
func node(s export.Script) []byte {
	w := newProgram(javaScript("let reply = await ", "reply = await "), s)
	w.region("// ", "head", func() { w.nodeHead(s) })
	for _, c := range s.Cases {
		w.region("// ", c.Name, func() {
			w.remark("", c.About...)
			w.line("test(%s, async () => {\n  await reset();", w.quote(c.Name))
			w.steps(c, "  ")
			w.line("});")
		})
	}
	return []byte(w.String())
}

// nodeHead writes what comes before the tests.
func (w *program) nodeHead(s export.Script) {
	w.remark("", head(s, "It needs Node.js 20 or later. SONDE_BASE_URL says where the service is.", "node --test sonde.test.mjs")...)
	w.line("\nimport { test } from \"node:test\";\n")
	w.line("// baseURL is where the service is, unless SONDE_BASE_URL is set.\nconst baseURL = %s;\n", w.quote(s.BaseURL))
	if s.Insecure {
		w.line("// The run trusted any certificate.\nprocess.env.NODE_TLS_REJECT_UNAUTHORIZED = \"0\";\n")
	}
	w.line("%s\n%s\n%s", run.Values, run.Reply, run.Node)
	w.line("// reset brings the service back to its first state.\nasync function reset() {")
	if s.Reset != nil {
		w.line("  (await %s).succeeds();", w.send(*s.Reset, "  "))
	}
	w.line("}")
}

// javaScript is how tests look like in it.
func javaScript(first, again string) language {
	return language{
		comment: "// ", end: ";", single: true, first: first, again: again, declare: "const ", name: (*export.Take).Camel,
	}
}

// climbs is a segment of a path that fetch would take as one that leads elsewhere.
var climbs = regexp.MustCompile(`(?i)/(\.|%2e){1,2}(/|$|\?)`)

// unfetched says why fetch cannot send what a case does.
func unfetched(c export.Case) string {
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
			return "fetch takes a segment of dots in a path as one that leads elsewhere"
		}
	}
	return ""
}
