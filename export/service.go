package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
)

// settings declares what a person may want to change.
func (s Suite) settings() string { return s.around() + s.service() + s.trust() + s.users() + s.reset() }

// trust says how TLS is spoken, where that is not the usual way.
func (s Suite) trust() string {
	if s.TLS != (model.TLS{}) {
		return "\n// These files are needed to speak TLS with the service, as SONDE_CACERT, SONDE_CERT and SONDE_KEY may say\n" +
			"// otherwise.\nfunc init() {\n\tspeakTLS(" + quoted(s.TLS.CACert) + ", " + quoted(s.TLS.Cert) + ", " +
			quoted(s.TLS.Key) + ", " + strconv.FormatBool(s.Insecure) + ")\n}\n"
	}
	if !s.Insecure {
		return ""
	}
	return "\n// The run trusted any certificate. Take this out where the service has a real one.\nfunc init() { trustAnybody() }\n"
}

// service says where the service is, or how it is started.
func (s Suite) service() string {
	base := loginInURL.ReplaceAllString(s.BaseURL, "//")
	if s.Service != nil {
		return s.program(cmp.Or(base, "http://127.0.0.1:"+model.PortPlaceholder))
	}
	if strings.Contains(base, model.PortPlaceholder) {
		base = "" // of a service that nobody knows how to start any more
	}
	about := "\n// defaultURL is where the service is, unless SONDE_BASE_URL is set.\n"
	if s.local() {
		return about + "var defaultURL = " + quoted(base) +
			"\n\n// TestMain runs the tests with their servers.\nfunc TestMain(m *testing.M) { os.Exit(network.around(m, nil)) }\n"
	}
	return about + "const defaultURL = " + quoted(base) + "\n"
}

func (s Suite) program(base string) string {
	p := s.Service
	var b strings.Builder
	b.WriteString("\n// service is started for the tests, unless SONDE_BASE_URL says where one is.\n" +
		"// {port} stands for the port that it gets.\nvar service = program{\n")
	member := func(name, value string) { fmt.Fprintf(&b, "\t%s: %s,\n", name, value) }
	member("base", quoted(base))
	if p.Port > 0 && !s.virtual() {
		member("port", fmt.Sprint(p.Port))
	}
	member("command", "[]string{"+list(p.Command)+"}")
	if s.Dir != "" {
		member("dir", quoted(s.Dir))
	}
	if env := s.environment(); len(env) > 0 {
		member("env", "[]string{"+list(env)+"}")
	}
	if p.Ready.Path != "" {
		member("readyAt", quoted(slashed(p.Ready.Path)))
	}
	if p.Ready.Status > 0 {
		member("readyWith", fmt.Sprint(p.Ready.Status))
	}
	member("readyWithin", duration(cmp.Or(p.Ready.Timeout, 30*time.Second)))
	member("stopBy", "syscall.SIG"+signal(p.Stop.Signal))
	member("stopWithin", duration(cmp.Or(p.Stop.Timeout, 5*time.Second)))
	return b.String() + "}\n\n// defaultURL is where the service is, once it is started.\nvar defaultURL string\n\n" +
		"// TestMain starts the service, runs the tests and stops the service.\n" +
		"func TestMain(m *testing.M) { os.Exit(" + s.main() + ") }\n"
}

// main runs the tests.
func (s Suite) main() string {
	if s.virtual() || s.local() {
		return "network.around(m, &service)"
	}
	return "service.around(m)"
}

// environment returns what the service's environment has besides the tests' own.
func (s Suite) environment() []string {
	if s.Service == nil {
		return nil
	}
	var all []string
	for _, name := range sorted(s.Service.Env) {
		all = append(all, name+"="+s.Service.Env[name])
	}
	return all
}

// signal returns the name of one that Go knows.
func signal(name string) string {
	if slices.Contains([]string{"INT", "HUP", "QUIT", "KILL"}, name) {
		return name
	}
	return "TERM"
}

func sorted(texts map[string]string) []string { return slices.Sorted(maps.Keys(texts)) }

func list(texts []string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = quoted(text)
	}
	return strings.Join(all, ", ")
}

func slashed(path string) string { return "/" + strings.TrimPrefix(path, "/") }

func duration(d time.Duration) string {
	switch {
	case d%time.Second == 0:
		return fmt.Sprintf("%d * time.Second", d/time.Second)
	case d%time.Millisecond == 0:
		return fmt.Sprintf("%d * time.Millisecond", d/time.Millisecond)
	}
	return fmt.Sprint(int64(d))
}

// first returns what a test begins with, "" where it is nothing.
func (s Suite) first() string {
	switch {
	case s.begins != "":
		return s.begins
	case s.resets():
		return "reset(t)"
	case s.virtual() || s.local():
		return "begin(t)"
	case s.Service != nil:
		return "service.begin(t)"
	}
	return ""
}

// resets reports whether somebody knows how. A service that another starts cannot
// be started anew.
func (s Suite) resets() bool { return s.Reset != nil && (!s.Reset.Restart || s.Service != nil) }

// reset declares how the service is brought back to its first state.
func (s Suite) reset() string {
	if !s.resets() {
		return s.begin()
	}
	var b strings.Builder
	b.WriteString("\n// reset brings the service back to its first state.\nfunc reset(t *testing.T) {\n\tt.Helper()\n")
	if s.Service != nil {
		b.WriteString("\tservice.begin(t)\n")
	}
	if s.virtual() {
		b.WriteString("\tnetwork.shed()\n")
	}
	switch r := s.Reset; {
	case r.Restart:
		b.WriteString("\tservice.restart(t)\n")
	case len(r.Command) > 0 && s.Service != nil:
		b.WriteString("\trun(t, service.dir, service.env, " + list(r.Command) + ")\n")
	case len(r.Command) > 0:
		b.WriteString("\trun(t, " + quoted(s.Dir) + ", nil, " + list(r.Command) + ")\n")
	default:
		b.WriteString("\t" + resetCall(r) + ".wantSuccess()\n")
	}
	if s.virtual() || s.local() {
		b.WriteString("\tnetwork.begin(t)\n")
	}
	if slices.ContainsFunc(s.callers(), opens) {
		b.WriteString("\tafterReset()\n")
	}
	return b.String() + "}\n"
}

// begin declares how a test begins whose service nobody can reset.
func (s Suite) begin() string {
	if !s.virtual() && !s.local() {
		return ""
	}
	start := ""
	if s.Service != nil {
		start = "\tservice.begin(t)\n"
	}
	return "\n// begin lets the hosts around the service be as in all tests.\nfunc begin(t *testing.T) {\n\tt.Helper()\n" +
		start + "\tnetwork.begin(t)\n}\n"
}

// resetCall returns the request that resets.
func resetCall(r *model.Reset) string {
	line := "call(t, " + quoted(r.Method) + ", " + quoted(slashed(r.Path))
	for _, name := range sorted(r.Header) {
		line += ", withHeader(" + quoted(name) + ", " + secretText(r.Header[name]) + ")"
	}
	if r.Body != nil {
		line += ", " + (&payload{media: r.Body.Media, data: r.Body.Data}).option(1)
	}
	return line + ")"
}
