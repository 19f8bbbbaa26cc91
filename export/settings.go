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

// settings are the declarations in an exported Go file that a reader may want to change: the address or the
// command of the service, its users, and its reset.
type settings struct {
	baseURL   string
	tls       model.TLSFiles
	insecure  bool
	service   *model.Service // nil if the tests start no service
	driver    *model.Driver  // nil if no driver starts the service
	dir       string         // the folder in which commands start
	reset     *model.Reset   // nil for none
	hosts     hostSetup
	users     userList // the users who make calls
	headers   []model.Credential
	rowsBuild []string // the command that builds the service so that tests can insert rows and clean the database, nil if none does
}

// declarations returns the Go code that declares the settings.
func (s settings) declarations() string {
	return s.hosts.declarations() + s.database() + s.location() + s.trust() + s.users.declaration() + s.resetFunc()
}

// database declares the database of the service, "" if no test inserts rows or cleans it. The virtual network builds the service
// itself.
func (s settings) database() string {
	if s.rowsBuild == nil {
		return ""
	}
	build := ""
	if !s.hosts.virtual() {
		build = "build: []string{" + list(s.rowsBuild) + "}"
	}
	return "\n// database is the database of the service, for its reset and for rows that tests insert.\n" +
		"var database = probedDatabase{" + build + "}\n"
}

// trust returns an init function that sets up TLS, "" if the defaults of Go suffice.
func (s settings) trust() string {
	if s.tls != (model.TLSFiles{}) {
		return "\n// The files for TLS with the service, unless SONDE_CACERT, SONDE_CERT and SONDE_KEY name others.\n" +
			"func init() {\n\tconfigureTLS(" + quoted(s.tls.CACert) + ", " + quoted(s.tls.Cert) + ", " +
			quoted(s.tls.Key) + ", " + strconv.FormatBool(s.insecure) + ")\n}\n"
	}
	if !s.insecure {
		return ""
	}
	return "\n// The run trusted any certificate. Remove this where the service has a valid one.\n" +
		"func init() { trustAnyCertificate() }\n"
}

// location declares the service's URL, or the program that the tests start.
func (s settings) location() string {
	base := urlUser.ReplaceAllString(s.baseURL, "//")
	switch {
	case s.driver != nil:
		return s.drivenService()
	case s.service != nil:
		return s.program(cmp.Or(base, "http://127.0.0.1:"+model.PortPlaceholder))
	}
	if strings.Contains(base, model.PortPlaceholder) {
		base = "" // the run started the service, but its command is unknown
	}
	about := "\n// defaultURL is the service's URL, unless SONDE_BASE_URL is set.\n"
	if s.hosts.onLoopback() {
		return about + "var defaultURL = " + quoted(base) +
			"\n\n// TestMain runs the tests with the servers that play other hosts.\n" +
			"func TestMain(m *testing.M) { os.Exit(network.runTests(m, nil)) }\n"
	}
	return about + "const defaultURL = " + quoted(base) + "\n"
}

// program declares the program that the tests start, and TestMain.
func (s settings) program(base string) string {
	return "\n// service is the program that the tests start, unless SONDE_BASE_URL is set.\n" +
		"// {port} is replaced by the port that it gets.\nvar service = " + s.programLiteral(s.service, base, "\t") + "\n" +
		startedURL + "// TestMain starts the service, runs the tests and stops the service.\n" +
		"func TestMain(m *testing.M) { os.Exit(" + s.mainCall() + ") }\n"
}

// startedURL declares the URL of a service that the tests or a driver start.
const startedURL = "\n// defaultURL is the service's URL, once it is started.\nvar defaultURL string\n\n"

// programLiteral returns a Go literal of a program that the tests start. indent is the indentation of its members.
func (s settings) programLiteral(p *model.Service, base, indent string) string {
	var b strings.Builder
	b.WriteString("program{\n")
	member := func(name, value string) { fmt.Fprintf(&b, "%s%s: %s,\n", indent, name, value) }
	member("base", quoted(base))
	if p.Port > 0 && !s.hosts.virtual() {
		member("port", fmt.Sprint(p.Port))
	}
	member("command", "[]string{"+list(p.Command)+"}")
	if s.dir != "" {
		member("dir", quoted(s.dir))
	}
	if env := environment(p); len(env) > 0 {
		member("env", "[]string{"+list(env)+"}")
	}
	if p.Ready.Path != "" {
		member("readyPath", quoted(slashed(p.Ready.Path)))
	}
	if p.Ready.Status > 0 {
		member("readyStatus", fmt.Sprint(p.Ready.Status))
	}
	member("readyTimeout", duration(cmp.Or(p.Ready.Timeout, 30*time.Second)))
	member("stopSignal", "syscall.SIG"+signal(p.Stop.Signal))
	member("stopTimeout", duration(cmp.Or(p.Stop.Timeout, 5*time.Second)))
	return b.String() + strings.TrimSuffix(indent, "\t") + "}"
}

// drivenService declares the driver that starts the service, and TestMain.
func (s settings) drivenService() string {
	var b strings.Builder
	b.WriteString("\n// service is the driver that starts, resets and stops the service, unless SONDE_BASE_URL is set.\n")
	base, start := urlUser.ReplaceAllString(s.driver.URL, "//"), s.driver.StartCommand()
	if start == nil {
		b.WriteString("// The driver must be running. SONDE_DRIVER_URL is the URL of another one.\nvar service = driver{\n" +
			"\turl: " + quoted(base) + ",\n")
	} else {
		b.WriteString("// The tests start the driver, unless SONDE_DRIVER_URL is the URL of a running one. {port} is\n" +
			"// replaced by the port that it gets.\nvar service = driver{\n" +
			"\tprogram: " + s.programLiteral(start, base, "\t\t") + ",\n")
	}
	if s.driver.Path != "" {
		fmt.Fprintf(&b, "\tpath: %s,\n", quoted(s.driver.Path))
	}
	return b.String() + "}\n" + startedURL + "// TestMain has the driver start the service, runs the tests and has the driver stop it.\n" +
		"func TestMain(m *testing.M) { os.Exit(service.runTests(m)) }\n"
}

// mainCall returns the expression in TestMain that runs the tests and gives the exit code.
func (s settings) mainCall() string {
	call := "service.runTests(m)"
	if s.hosts.playsHosts() {
		call = "network.runTests(m, &service)"
	}
	if s.rowsBuild != nil {
		return "database.runTests(&service, func() int { return " + call + " })"
	}
	return call
}

// environment returns the environment variables that a program gets in addition to those of the test
// process.
func environment(p *model.Service) []string {
	var all []string
	for _, name := range sorted(p.Env) {
		all = append(all, name+"="+p.Env[name])
	}
	return all
}

// firstCall returns the first statement of a test, "" for none.
func (s settings) firstCall(t model.Test) string {
	switch {
	case s.canReset() && s.reset != nil && s.reset.Snapshots != "":
		return "restore(t, " + quoted(t.Mock.Snapshot) + ")"
	case s.canReset():
		return "reset(t)"
	case s.hosts.playsHosts():
		return "begin(t)"
	case s.service != nil:
		return "service.begin(t)"
	}
	return ""
}

// canReset reports whether the tests can reset the service. A driver always can. A reset by restart requires that
// the tests start the service, and one by clean that they build it.
func (s settings) canReset() bool {
	switch {
	case s.driver != nil:
		return true
	case s.reset == nil:
		return false
	case s.reset.Clean:
		return s.rowsBuild != nil
	}
	return !s.reset.Restart || s.service != nil
}

// resetFunc declares the function that resets the service. If the tests cannot reset it, resetFunc declares
// the function that begins a test.
func (s settings) resetFunc() string {
	if !s.canReset() {
		return s.beginFunc()
	}
	var b strings.Builder
	if s.reset != nil && s.reset.Snapshots != "" {
		b.WriteString("\n// restore brings the service back to the state of a snapshot of the recording.\n" +
			"func restore(t *testing.T, snapshot string) {\n\tt.Helper()\n" +
			"\tfolder := snapshotFolder(t, " + quoted(s.reset.Snapshots) + ", snapshot)\n")
	} else {
		b.WriteString("\n// reset brings the service back to its first state.\nfunc reset(t *testing.T) {\n\tt.Helper()\n")
	}
	if s.service != nil || s.driver != nil && s.reset != nil && !s.reset.Restart {
		b.WriteString("\tservice.begin(t)\n")
	}
	if s.hosts.virtual() {
		b.WriteString("\tnetwork.drain()\n")
	}
	switch r := s.reset; {
	case r == nil:
		b.WriteString("\tservice.reset(t)\n")
	case r.Restart && r.Snapshots != "":
		b.WriteString("\tservice.restartFrom(t, folder, " + list(r.Files) + ")\n")
	case r.Restart:
		b.WriteString("\tservice.restart(t)\n")
	case r.Clean:
		b.WriteString("\tdatabase.clean(t)\n")
	case len(r.Command) > 0 && s.service != nil:
		b.WriteString("\trun(t, service.dir, service.env, " + commandWords(r) + ")\n")
	case len(r.Command) > 0:
		b.WriteString("\trun(t, " + quoted(s.dir) + ", nil, " + commandWords(r) + ")\n")
	default:
		b.WriteString("\t" + resetCall(r) + ".wantSuccess()\n")
	}
	if s.hosts.playsHosts() {
		b.WriteString("\tnetwork.begin(t)\n")
	}
	if slices.ContainsFunc(s.users, hasLogin) {
		b.WriteString("\tafterReset()\n")
	}
	return b.String() + "}\n"
}

// commandWords returns the Go arguments with the words of a reset's command.
func commandWords(r *model.Reset) string {
	if r.Snapshots != "" {
		return "withSnapshot(folder, " + list(r.Command) + ")..."
	}
	return list(r.Command)
}

// beginFunc declares the function that prepares the hosts for a test. It returns "" if the tests play no
// hosts.
func (s settings) beginFunc() string {
	if !s.hosts.playsHosts() {
		return ""
	}
	start := ""
	if s.service != nil {
		start = "\tservice.begin(t)\n"
	}
	return "\n// begin removes the stubs of earlier tests.\nfunc begin(t *testing.T) {\n\tt.Helper()\n" +
		start + "\tnetwork.begin(t)\n}\n"
}

// signal returns the Go name of a stop signal: INT, HUP, QUIT or KILL, and TERM for all others. Package
// syscall does not have other signals on all systems.
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

// resetCall returns the Go call that sends the request for a reset.
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
