package format

import (
	"strings"
	"unicode"

	"sonde/assets/templates/run"
	"sonde/export"
	"sonde/model"
)

// javaProgram returns a program in Java.
func javaProgram(s export.Script) *program {
	return newProgram(language{
		comment: "// ", plain: true, end: ";", first: "Reply reply = ", again: "reply = ", declare: "Value ",
		name: (*export.Capture).CamelCase,
	}, s)
}

// restAssured prints a script as a class for JUnit 5.
func restAssured(s export.Script) []byte {
	w := javaProgram(s)
	imports := "import org.junit.jupiter.api.Test;"
	tests := w.tests(s, "    ", func(c export.TestCase) {
		w.remark("    ", c.About...)
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
		w.remark("", headLines(
			s, "It needs JUnit 5, REST Assured and Jackson. SONDE_BASE_URL is the service's URL.",
			"mvn test -Dtest="+class,
		)...)
		w.line("\n%s\n\nclass %s extends SondeHelpers {", imports, class)
	})
	w.WriteString(tests)
	w.line("}")
	return []byte(w.String())
}

// javaHelpers prints the base class of the tests.
func javaHelpers(s export.Script) []byte {
	w := javaProgram(s)
	w.region("// ", "helpers", func() {
		w.remark("", "The settings and helpers that the tests of this folder share.")
		w.line("%s", strings.Replace(run.JavaImports, "import java.net.URI;\n", w.javaTLSImports(s)+"import java.net.URI;\n", 1))
		w.line(
			"abstract class SondeHelpers {\n    // BASE_URL is the service's URL, unless SONDE_BASE_URL is set.\n"+
				"    static final String BASE_URL = %s;\n",
			w.quote(s.BaseURL),
		)
		w.javaTLS(s)
		w.line("    // reset brings the service back to its first state.\n    @BeforeEach\n    void reset() {")
		if s.Reset != nil {
			w.line("        %s.succeeds();", w.send(*s.Reset, "        "))
		}
		w.beginCalls(s, "        ", "true", "false")
		w.line("    }\n\n%s\n%s", run.Java, run.JavaExpect)
		if len(s.Sessions) > 0 {
			w.line("%s", run.JavaSessions)
		}
		for _, session := range s.Sessions {
			w.remark("    ", openingComment(session))
			w.line("    static {\n        USERS.put(%s, () -> {", w.quote(session.Name))
			w.opening(session, "            ")
			w.line("            return List.of(%s);\n        });\n    }\n", w.credentialOptions(session, "            "))
		}
		w.line("}")
	})
	return []byte(w.String())
}

// lowered returns a name with a lower-case first letter, as methods have.
func lowered(name string) string {
	runes := []rune(name)
	runes[0] = unicode.ToLower(runes[0])
	return string(runes)
}

// withoutScheme returns a URL without its scheme, and a path as it is.
func withoutScheme(url string) string {
	if _, rest, whole := strings.Cut(url, "://"); whole && !strings.HasPrefix(url, "/") {
		return rest
	}
	return url
}

// whyNotInJava returns the reason why REST Assured cannot send the requests of a case, "" if it can.
func whyNotInJava(c export.TestCase) string {
	for _, s := range c.Steps {
		path, _, _ := strings.Cut(withoutScheme(joined(s.Path, "", unchanged, func(export.TextPart) string { return "x" })), "?")
		if strings.Contains(path, "//") {
			return "REST Assured replaces // in a path by /"
		}
		last, known := "", map[string]bool{}
		for _, p := range s.Params {
			if p.In != model.InQuery {
				continue
			}
			if p.Name == "" {
				return "REST Assured does not send a query parameter without a name"
			}
			if known[p.Name] && p.Name != last {
				return "REST Assured groups the values of a query by name"
			}
			last, known[p.Name] = p.Name, true
		}
	}
	return ""
}

// whyNotPlayedInJava returns the reason why com.sun.net.httpserver cannot give the answers of a stub, "" if it can.
func whyNotPlayedInJava(stub model.Stub) string { return whyNotPlayed(stub) }
