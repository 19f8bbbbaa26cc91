package format

import (
	"fmt"
	"regexp"
	"slices"
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
			s, "It needs "+javaNeeds+". SONDE_BASE_URL is the service's URL.",
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
		w.line("%s", w.javaImports(s))
		constant, throws, library := "static final", "", run.Java
		if s.Play != nil {
			constant, throws = "static", " throws IOException"
			library = strings.Replace(library, "    static class Reply {\n", playedReply, 1)
		}
		w.line(
			"abstract class SondeHelpers {\n    // BASE_URL is the service's URL, unless SONDE_BASE_URL is set.\n"+
				"    %s String BASE_URL = %s;\n",
			constant, w.quote(s.BaseURL),
		)
		w.javaTLS(s)
		w.line("    // reset brings the service back to its first state.\n    @BeforeEach\n    void reset()%s {", throws)
		w.resetCalls(s, "        ")
		w.beginCalls(s, "        ", "true", "false")
		w.line("    }\n\n%s\n%s", library, run.JavaExpect)
		w.javaHosts(s)
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

// playedReply is the beginning of the class of answers in tests of recorded exchanges.
const playedReply = `    static class Reply extends RecordedReply {
        @Override
        Response answer() {
            return answer;
        }

        @Override
        String call() {
            return call;
        }

`

// javaImports returns the imports of the base class of the tests, static ones first.
func (w *program) javaImports(s export.Script) string {
	text := run.JavaImports + w.javaTLSImports(s)
	if s.Play != nil {
		text += run.JavaHostsImports
	}
	var static, other []string
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "import static "):
			static = append(static, line)
		case line != "":
			other = append(other, line)
		}
	}
	slices.Sort(other)
	return "\n" + strings.Join(static, "\n") + "\n\n" + strings.Join(slices.Compact(other), "\n") + "\n"
}

// javaHosts writes the helpers that start the service, play hosts and restore snapshots, if the script needs them.
func (w *program) javaHosts(s export.Script) {
	if s.Play == nil {
		return
	}
	w.line("    // SERVERS are the hosts that servers of the tests play.")
	w.line("    static final List<String> SERVERS = List.of(%s);\n", w.quotedList(s.Play.Servers))
	if p := s.Play.Service; p == nil {
		w.line("    static final Program SERVICE = null; // the tests do not start the service\n")
	} else {
		var env []string
		for _, name := range sorted(p.Env) {
			env = append(env, "Map.entry("+w.quote(name)+", "+w.quote(p.Env[name])+")")
		}
		w.line("    // SERVICE is the program that the tests start, unless SONDE_BASE_URL is set.")
		w.line("    static final Program SERVICE = new Program(%s, List.of(%s),", w.quote(s.Play.BaseURL), w.quotedList(p.Command))
		w.line("            %s, Map.ofEntries(%s), %d,", w.quote(p.Dir), strings.Join(env, ", "), p.Port)
		w.line(
			"            %s, %d, %s, %s, %s);\n", w.quote(readyPath(p)), p.Ready.Status, seconds(readyTimeout(p)),
			w.quote(p.Stop.Signal), seconds(stopTimeout(p)),
		)
	}
	w.line("%s", run.JavaHosts)
	if r := s.Play.Restores; r != nil {
		w.line("    // SNAPSHOTS has the snapshots of the recording. RESTORE restores one; if RESTORE is empty, STATE_FILES are replaced.")
		w.line("    static final String SNAPSHOTS = %s;", w.quote(r.Snapshots))
		w.line("    static final List<String> RESTORE = List.of(%s);", w.quotedList(r.Command))
		w.line("    static final List<String> STATE_FILES = List.of(%s);\n\n%s", w.quotedList(r.Files), run.JavaSnapshots)
	}
	if len(s.Play.Permanent) > 0 {
		w.line("    // These stubs answer in all tests, after those of the test itself.\n    static {")
		w.hostStubs(s.Play.Permanent, "        ")
		w.line("    }\n")
	}
}

// silentInJava are the faults that end in a reset of the connection.
var silentInJava = []model.NetFault{
	model.NetReset, model.NetRefuse, model.NetUnreachable, model.NetTimeout, model.NetMute,
	model.NetWrongTLS, model.NetExpiredTLS, model.NetUntrustedTLS,
}

// whyNotPlayedInJava returns the reason why com.sun.net.httpserver cannot give the answers of a stub, "" if it can.
func whyNotPlayedInJava(stub model.Stub) string {
	for _, a := range stub.AllAnswers() {
		if slices.Contains(silentInJava, a.Fault) {
			return fmt.Sprintf("com.sun.net.httpserver cannot reset a connection, as %.60q does", stub.Host)
		}
	}
	if !isURIPath(stub.Match.Path) {
		return fmt.Sprintf("com.sun.net.httpserver passes on only requests for valid URIs, which %.60q is not", stub.Match.Path)
	}
	return whyNotPlayed(stub)
}

// pathParam is a parameter of a path template.
var pathParam = regexp.MustCompile(`\{[^/]*?\}`)

// uriPath are the paths that java.net.URI accepts.
var uriPath = regexp.MustCompile(`^(?:[\w.!~*'();:@&=+$,/-]|%[0-9A-Fa-f]{2})*$`)

// isURIPath reports whether java.net.URI accepts the path of a stub, so that com.sun.net.httpserver passes the request
// on. isURIPath ignores the query, because a stub does not store how the query was escaped.
func isURIPath(path string) bool {
	path, _, _ = strings.Cut(path, "?")
	return !strings.HasPrefix(path, "//") && uriPath.MatchString(pathParam.ReplaceAllString(path, "x"))
}
