package format

import (
	"strings"
	"unicode"

	"sonde/assets/templates/run"
	"sonde/export"
	"sonde/model"
)

func javaProgram(s export.Script) *program {
	return newProgram(language{
		comment: "// ", end: ";", first: "Reply reply = ", again: "reply = ", declare: "Value ", name: (*export.Capture).CamelCase,
	}, s)
}

// restAssured writes a class for JUnit 5.
func restAssured(s export.Script) []byte {
	w := javaProgram(s)
	imports := "import org.junit.jupiter.api.Test;"
	tests := w.tests(s, "    ", func(c export.TestCase) {
		w.javaRemark("    ", c.About...)
		if c.Skip != "" {
			imports = "import org.junit.jupiter.api.Disabled;\nimport org.junit.jupiter.api.Test;"
			w.line("    @Disabled(%s)", w.quote(c.Skip))
		}
		w.line("    @Test\n    void %s() {", lowered(c.Name))
		w.calls(c, "        ")
		w.line("    }")
	})
	w.region("// ", "head", func() {
		class := fileOf(s, "SondeTest", "SondeFaultsTest")
		w.javaRemark("", head(
			s, "It needs JUnit 5, REST Assured and Jackson. SONDE_BASE_URL says where the service is.",
			"mvn test -Dtest="+class,
		)...)
		w.line("\n%s\n\nclass %s extends SondeHelpers {", imports, class)
	})
	w.WriteString(tests)
	w.line("}")
	return []byte(w.String())
}

// javaHelpers writes the class of what tests share.
func javaHelpers(s export.Script) []byte {
	w := javaProgram(s)
	w.region("// ", "helpers", func() {
		w.javaRemark("", "What the tests of this folder share: where the service is, and their helpers.")
		w.line("%s", strings.Replace(run.JavaImports, "import java.net.URI;\n", w.javaTLSImports(s)+"import java.net.URI;\n", 1))
		w.line(
			"abstract class SondeHelpers {\n    // BASE_URL is where the service is, unless SONDE_BASE_URL is set.\n    static final String BASE_URL = %s;\n",
			w.quote(s.BaseURL),
		)
		w.javaTLS(s)
		w.line("    // reset brings the service back to its first state.\n    @BeforeEach\n    void reset() {")
		if s.Reset != nil {
			w.line("        %s.succeeds();", w.send(*s.Reset, "        "))
		}
		w.begins(s, "        ", "true", "false")
		w.line("    }\n\n%s\n%s", run.Java, run.JavaExpect)
		if len(s.Sessions) > 0 {
			w.line("%s", run.JavaSessions)
		}
		for _, session := range s.Sessions {
			w.javaRemark("    ", about(session))
			w.line("    static {\n        USERS.put(%s, () -> {", w.quote(session.Name))
			w.opening(session, "            ")
			w.line("            return List.of(%s);\n        });\n    }\n", w.carried(session, "            "))
		}
		w.line("}")
	})
	return []byte(w.String())
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

// lowered returns a name that begins as those of methods do.
func lowered(name string) string {
	runes := []rune(name)
	runes[0] = unicode.ToLower(runes[0])
	return string(runes)
}

// withoutScheme returns a URL, or the path of one, without the scheme.
func withoutScheme(url string) string {
	if _, rest, whole := strings.Cut(url, "://"); whole && !strings.HasPrefix(url, "/") {
		return rest
	}
	return url
}

// unassured says why REST Assured cannot send what a case does.
func unassured(c export.TestCase) string {
	for _, s := range c.Steps {
		path, _, _ := strings.Cut(withoutScheme(joined(s.Path, "", itself, func(export.TextPart) string { return "x" })), "?")
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
