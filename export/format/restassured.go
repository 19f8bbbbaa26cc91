package format

import (
	"strings"
	"unicode"

	"sonde/assets/templates/run"
	"sonde/export"
	"sonde/model"
)

// restAssured writes a class for JUnit 5.
func restAssured(s export.Script) []byte {
	w := newProgram(language{
		comment: "// ", end: ";", first: "Reply reply = ", again: "reply = ", declare: "Value ", name: (*export.Take).Camel,
	}, s)
	w.region("// ", "head", func() { w.javaHead(s) })
	for _, c := range s.Cases {
		w.region("    // ", c.Name, func() {
			w.javaRemark("    ", c.About...)
			w.line("    @Test\n    void %s() {", lowered(c.Name))
			w.steps(c, "        ")
			w.line("    }")
		})
	}
	w.region("    // ", "helpers", func() { w.WriteString(run.Java) })
	w.line("}")
	return []byte(w.String())
}

// javaHead writes what comes before the tests.
func (w *program) javaHead(s export.Script) {
	w.javaRemark("", head(s, "It needs JUnit 5, REST Assured and Jackson. SONDE_BASE_URL says where the service is.", "mvn test -Dtest=SondeTest")...)
	w.line("%s", run.JavaImports)
	w.line("class SondeTest {\n    // BASE_URL is where the service is, unless SONDE_BASE_URL is set.\n    static final String BASE_URL = %s;\n", w.quote(s.BaseURL))
	w.line("    // TRUSTS_ANYBODY is what the run did of certificates.\n    static final boolean TRUSTS_ANYBODY = %t;\n", s.Insecure)
	w.line("    // reset brings the service back to its first state.\n    @BeforeEach\n    void reset() {")
	if s.Reset != nil {
		w.line("        %s.succeeds();", w.send(*s.Reset, "        "))
	}
	w.line("    }")
}

// javaRemark writes a comment, in which Java would read \u as a character.
func (w *program) javaRemark(indent string, lines ...string) {
	for _, l := range lines {
		w.remark(indent, strings.Map(func(r rune) rune {
			switch {
			case r == '\\':
				return '/'
			case r > '~':
				return '?'
			}
			return r
		}, strings.ReplaceAll(l, "→", "->")))
	}
}

// lowered is a name that begins as those of methods do.
func lowered(name string) string {
	runes := []rune(name)
	runes[0] = unicode.ToLower(runes[0])
	return string(runes)
}

// unassured says why REST Assured cannot send what a case does.
func unassured(c export.Case) string {
	for _, s := range c.Steps {
		path, _, _ := strings.Cut(joined(s.Path, "", itself, func(export.Part) string { return "x" }), "?")
		if strings.Contains(path, "//") {
			return "REST Assured takes // in a path for /"
		}
		last, known := "", map[string]bool{}
		for _, p := range s.Params {
			if p.In != model.InQuery {
				continue
			}
			if p.Name == "" {
				return "REST Assured sends no value without a name in a query"
			}
			if known[p.Name] && p.Name != last {
				return "REST Assured puts the values of one name in a query together"
			}
			last, known[p.Name] = p.Name, true
		}
	}
	return ""
}
