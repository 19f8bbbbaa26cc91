package export

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"sonde/model"
)

// Script is a suite that is independent of any language. For each call it has the request, the values that
// the request takes from earlier answers, and the assertions on the answer. Literal text is escaped for its
// place in the request, so that a format only quotes it. Other values have an Escaping.
type Script struct {
	Title string
	// BaseURL is the service's URL without a slash at the end, "" if unknown.
	BaseURL  string
	Insecure bool
	TLS      model.TLSFiles // the files for TLS with the service, relative to the folder of the tests
	Command  string         // the command line that makes the file again, "" if unknown
	// Spec is the path or URL of the specification as the user gave it; "" if unknown.
	Spec    string
	Secrets []Secret
	Reset   *Request // sent before each test; nil for none
	// Sessions are the sessions of all users who log in or are created, if cases share sessions. Users
	// without a call in any case are included, because the helpers also serve the files of other exports.
	Sessions    []*Session
	Cases       []TestCase
	ShowsFaults bool     // the cases show faults
	Opening     []string // lines that say what the tests do
	// Omissions are lines about parts of the suite that the file leaves out.
	Omissions []string
	// Play says how the tests start the service and play hosts around it; nil if they call a running service.
	Play *Play
	// Driver is the driver that starts and resets the service; nil if there is none. The Dir of its Run is relative
	// to the folder of the tests.
	Driver *model.Driver
	// DriverRestarts says that the driver resets the service by a restart.
	DriverRestarts bool
	// Files are files with large bodies beside the tests.
	Files []OutputFile
}

// Secret is an environment variable that a file reads.
type Secret struct {
	Name, About string
	Default     string // the value if it is public, "" for a secret
}

// TestCase is one test.
type TestCase struct {
	// Name is an identifier in ASCII, such as CreateProductThenGetPrice_404. It is unique
	// regardless of case and underscores.
	Name, ID string
	Function string   // the name of the test in Go
	About    []string // comment lines
	Skip     string   // why it is skipped, "" if it is not
	Steps    []TestStep
	// OwnSessions is set if a call may end a session or change credentials, or if a recorded exchange has
	// MockTest.OwnSessions. Such a case must not share sessions with other cases.
	OwnSessions bool
	// Stubs are the answers of hosts, and Mimics the recorded exchange, nil for none. Both need Script.Play.
	Stubs  []HostStub
	Mimics *Mimicked
	// Unplayable is the reason why the case cannot be played, "" if it can. Such reasons are that no server of the
	// tests can play its hosts, that it inserts rows, or that it restores a snapshot of a service that the tests do
	// not start. If there is a reason, the case has only a Name, an ID and a Function.
	Unplayable string
}

// UsedSessions returns the sessions of the users who make calls in a case, in the order of their first
// calls.
func (c TestCase) UsedSessions() []*Session {
	var all []*Session
	for _, s := range c.Steps {
		if s.Session != nil && !slices.Contains(all, s.Session) {
			all = append(all, s.Session)
		}
	}
	return all
}

// TestStep is a call with the assertions on its answer and the values that later steps take from the
// answer.
type TestStep struct {
	Op model.OpID
	// About describes a step that creates a user or logs in. It is "" for calls of the test.
	About string
	// CreatesUser is set for a request that creates a user.
	CreatesUser bool
	// Session is the session of the user who makes the call, nil for none.
	Session *Session
	Request
	Status int // 0 if the test expects no single status
	// Pause is how long to wait before the step; 0 for most steps. See model.Test.
	Pause time.Duration
	// Unasserted is set if the test does not assert the status, and UnderTest for the call under test of a recorded
	// exchange.
	Unasserted, UnderTest bool

	Checks   []model.Check
	Captures []*Capture
	// Assertions are the assertions on the answer other than Status and Checks. If Broken is set, the test asserts
	// that they do not hold.
	Assertions []Assertion
	Broken     bool
}

// IsServerFault reports whether the expected status is a server error, in a step that does not pin a fault.
// Such an answer is probably a fault of the service.
func (s TestStep) IsServerFault() bool { return s.Status >= 500 && !s.Broken }

// PauseRemark is a remark about a step with a Pause.
const PauseRemark = "Lists may show only after a moment what was written."

// ServerErrorRemark returns a remark about an answer for which IsServerFault is true.
func ServerErrorRemark(status int) string {
	return fmt.Sprintf("%d is most likely a fault of the service. Once it is fixed, put the right status here.", status)
}

// Request is an HTTP request.
type Request struct {
	Method  string
	Path    []TextPart // the path with the query
	Headers []MessageField
	Basic   []TextPart // user:password of basic authentication, nil for none
	Body    *RequestBody
	// Template and Params are the path template and the values from which Path is made. A fixed query is in
	// Path only.
	Template string
	Params   []Parameter
}

// MessageField is a header or a field of a form.
type MessageField struct {
	Name  string
	Value []TextPart
}

// Parameter is a parameter outside the body: an unescaped text or a captured value.
type Parameter struct {
	In   model.Location
	Name string
	TextPart
}

// RequestBody is the body of a request. Its media type is also in the headers.
type RequestBody struct {
	Media string
	Parts []TextPart
	JSON  bool
	// Form has the fields of a log-in form. Parts has the same fields in encoded form. Form is nil for
	// other bodies.
	Form []MessageField
}

// Remark returns a comment that describes a body which is not text: in the file, such a body is in base64 or has
// escapes. It returns "" for a text, for a body with a captured value or a variable, and for no body.
func (b *RequestBody) Remark() string {
	if b == nil || slices.ContainsFunc(b.Parts, func(p TextPart) bool { return p.Capture != nil || p.Variable != "" }) {
		return ""
	}
	data := ""
	for _, p := range b.Parts {
		data += p.Text
	}
	return bodyRemark(&model.Payload{Media: b.Media, Data: data})
}

// bodyRemark describes a body that is not text. It returns "" for text and for no body.
func bodyRemark(p *model.Payload) string {
	if p == nil || p.IsText() {
		return ""
	}
	return "Its body is " + remark(strings.ReplaceAll(p.Describe(), "\n", "; "), 160) + "."
}

// TextPart is a piece of literal text, the value of a Capture, or the value of the environment variable
// Variable.
type TextPart struct {
	Text     string
	Capture  *Capture
	Variable string
	Escaping Escaping // how the value of Capture or Variable is escaped
	Original string   // the escaped value of Capture in the run
}

// Escaping is how a value is escaped for its place in a request.
type Escaping string

// The ways to escape a value, each with the place for which it is meant.
const (
	EscapePath   Escaping = "path"   // a segment of a path
	EscapeQuery  Escaping = "query"  // a value in a query
	EscapeForm   Escaping = "form"   // a value in a form
	EscapeJSON   Escaping = "json"   // a JSON string
	EscapeNumber Escaping = "number" // a JSON number if the text is one, else a JSON string
	EscapeNone   Escaping = "text"   // not escaped
)

// Capture is a value in an answer that later calls need.
type Capture struct {
	Kind            CaptureKind
	Words           []string // the words of the capture's name: at least two, of lower-case ASCII
	Header, Pointer string
	// Pattern is a regular expression with one group, "" for none. The group matches the value in a URL, or in the
	// text of the body. The URL is in the header or at the pointer, and the value is percent-decoded.
	Pattern string
	Step    int // index of the step whose answer has the value
}

// URLPlace returns the header or the pointer of the URL in which Pattern finds the value. It is "" if Pattern finds
// the value in the text of the body.
func (t *Capture) URLPlace() string { return cmp.Or(t.Header, t.Pointer) }

// CaptureKind is the part of an answer that is captured.
type CaptureKind string

// The parts of an answer that a Capture can take.
const (
	CaptureValue   CaptureKind = ""        // the value at a JSON pointer, or the last segment of the URL in a header
	CaptureHeader  CaptureKind = "header"  // a complete header
	CaptureBody    CaptureKind = "body"    // the complete body: text or a JSON string
	CaptureCookies CaptureKind = "cookies" // the cookies that are set, in the form of the header Cookie
)

// Join returns the words of the name, joined by a separator.
func (t *Capture) Join(between string) string { return strings.Join(t.Words, between) }

// CamelCase returns the name in the form productID.
func (t *Capture) CamelCase() string { return camel(t.Words) }

// LoginMode selects when and how the users of a script log in.
type LoginMode int

// The modes of log-ins.
const (
	// LoginPerCase makes log-ins the first steps of each case.
	LoginPerCase LoginMode = iota
	// LoginShared lets cases share sessions. Requests have the values that log-ins return.
	LoginShared
	// LoginSharedByName lets cases share sessions. Requests have only the names of sessions.
	LoginSharedByName
	// LoginByVariable has no log-ins. Environment variables have the tokens or cookies.
	LoginByVariable
	// LoginSimple is LoginPerCase for users whose log-in is a single request that returns a token, and
	// LoginByVariable for others.
	LoginSimple
)

// Script returns the suite's script, for formats whose tests call a running service. Tests with hosts around the
// service are left out. The errors are those of GoFile.
func (s Suite) Script(logins LoginMode) (Script, error) {
	out, err := s.script(logins, nil)
	out.Driver, out.DriverRestarts = nil, false
	out.Omissions = append(slices.Clip(out.Omissions), s.driverOmissions()...)
	return out, err
}

// DrivenScript is like Script, for formats whose tests can call the driver of the service. Its result has the suite's
// Driver.
func (s Suite) DrivenScript(logins LoginMode) (Script, error) { return s.script(logins, nil) }

// DriverLines returns lines about the script's driver, for the head of a file.
func (s Script) DriverLines() []string { return driverLines(s.Driver) }

// GoDriver returns the Go code that declares the script's driver, the URL of the service and TestMain.
func (s Script) GoDriver() string {
	of := settings{driver: s.Driver}
	if s.Driver.Run != nil {
		of.dir = s.Driver.Run.Dir
	}
	return of.drivenService()
}

// driverOmissions returns lines that say what the user has to do with the driver, because tests in this format do not
// call it.
func (s Suite) driverOmissions() []string {
	if s.Driver == nil {
		return nil
	}
	start := "start the driver"
	if run := s.Driver.Run; run != nil {
		start += " by " + commandText(run.Command)
	}
	all := []string{
		"The service is not started by its driver, as --format go does: " + start +
			", then the service by POST /controller/start, and set SONDE_BASE_URL to the URL that it returns.",
	}
	if s.Reset == nil {
		all = append(all, "The service is not reset by its driver before each test, as --format go does.")
	}
	return all
}

// script returns the suite's script. hosts is nil if the tests call a running service.
func (s Suite) script(logins LoginMode, hosts *hostPlayer) (Script, error) {
	lacks := append(s.scriptOmissions(hosts != nil), s.callers().loginNotes(logins)...)
	s.Tests = slices.DeleteFunc(slices.Clone(s.Tests), func(t model.Test) bool { return !hasRun(t) || hosts == nil && hasStubs(t) })
	if hosts == nil {
		s.Net, s.Local = nil, false
	}
	if len(s.Tests) == 0 && len(lacks) > 0 {
		return Script{}, fmt.Errorf("%w that needs no hosts around the service: --format go plays them", ErrEmpty)
	}
	if err := s.checkScript(hosts); err != nil {
		return Script{}, err
	}
	base := strings.TrimRight(urlUser.ReplaceAllString(s.BaseURL, "//"), "/")
	if strings.Contains(base, model.PortPlaceholder) {
		base = ""
	}
	out := Script{
		Title:       cmp.Or(remark(s.Title, 60), "an API"),
		BaseURL:     base,
		Insecure:    s.Insecure,
		TLS:         s.TLS,
		Spec:        s.Spec,
		Command:     s.commandLine(),
		Omissions:   lacks,
		ShowsFaults: s.ShowsFaults(),
		Opening:     s.opening(),
	}
	w := scripter{
		users:        s.users(),
		headers:      s.Headers,
		code:         s.Code,
		shown:        s.shown,
		logins:       logins,
		secrets:      map[string]bool{},
		taken:        names{},
		sessionOf:    map[string]*Session{},
		createdUsers: map[string]bool{},
		hosts:        hosts,
	}
	out.Reset = w.resetRequest(s.Reset)
	if logins == LoginShared || logins == LoginSharedByName {
		w.openAll()
	}
	used, folded := names{}, names{}
	for _, t := range s.titled().Tests {
		out.Cases = append(out.Cases, w.casesOf(t, used, folded)...)
	}
	if hosts != nil {
		out.Play, out.Files = hosts.play(), hosts.bodies.files
	}
	if s.Driver != nil {
		own := *s.Driver
		if own.Run = own.StartCommand(); own.Run != nil {
			run := cloneStart(own.Run)
			run.Dir, own.Run = s.Dir, &run
		}
		out.Driver, out.DriverRestarts = &own, s.Reset != nil && s.Reset.Restart
	}
	out.Secrets, out.Sessions = w.secretList, w.sessionList
	return out, w.err
}

// checkScript returns the first inconsistency of a suite whose script is made, or nil.
func (s Suite) checkScript(hosts *hostPlayer) error {
	if hosts != nil {
		return hosts.check()
	}
	return s.check()
}

// hasStubs reports whether hosts around the service answer in a test.
func hasStubs(t model.Test) bool { return len(t.Stubs) > 0 }

// scriptOmissions returns lines about parts of the suite that its script leaves out. plays reports whether the tests
// start the service and play hosts.
func (s Suite) scriptOmissions(plays bool) []string {
	left := s.omissions()
	all := slices.Clone(left.faults)
	add := func(on bool, format string, args ...any) {
		if on {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	var stubbed, recorded []string
	for _, t := range s.Tests {
		switch {
		case hasRun(t) && hasStubs(t):
			stubbed = append(stubbed, remark(t.ID, 40))
		case hasRun(t) && t.Mock != nil:
			recorded = append(recorded, remark(t.ID, 40))
		}
	}
	add(left.notRunLine() != "", "%s", left.notRunLine())
	add(left.earlierStateLine() != "", "%s", left.earlierStateLine())
	add(left.rowsLine() != "", "%s", left.rowsLine())
	if plays && s.Service != nil {
		return all
	}
	add(
		len(stubbed) > 0 && !plays, "Left out, because they play hosts around the service, which --format go does: %s.",
		strings.Join(excerpt(stubbed), ", "),
	)
	add(
		len(recorded) > 0 && !plays, "Only the status of these recorded tests is checked, --format go compares the rest: %s.",
		strings.Join(excerpt(recorded), ", "),
	)
	if s.Service != nil {
		command := remark(strings.Join(s.Service.Command, " "), 200)
		add(true, "The service is not started, as --format go does: start it first: %s.", command)
	}
	if s.Reset != nil {
		command := remark(strings.Join(s.Reset.Command, " "), 200)
		add(s.Reset.Restart, "The service is not restarted before each test, as --format go does.")
		add(s.Reset.Clean, "The databases of the service are not cleaned before each test, as --format go does.")
		add(len(s.Reset.Command) > 0, "The service is not reset before each test, as --format go does: %s.", command)
	}
	return all
}

// loginNotes returns a line for each user whom the script cannot log in.
func (l userList) loginNotes(logins LoginMode) []string {
	var all []string
	for _, u := range l {
		if u.Login != nil && logins.byVariable(u) {
			line := fmt.Sprintf("The user %s is not logged in: set %s to what the log-in gives.", quotedRemark(u.Name), sessionEnv(u))
			all = append(all, line)
		}
	}
	return all
}

// MergeShared returns a script without cases, for a file that the files of both scripts share. It has the secrets, the
// sessions and the played hosts of both.
func (s Script) MergeShared(other Script) Script {
	all := other
	all.Cases, all.Omissions, all.Files = nil, nil, nil
	all.Play = s.Play.merged(other.Play)
	all.ShowsFaults = s.ShowsFaults || other.ShowsFaults
	all.Sessions = slices.Clone(s.Sessions)
	for _, o := range other.Sessions {
		if !slices.ContainsFunc(all.Sessions, func(s *Session) bool { return s.Name == o.Name }) {
			all.Sessions = append(all.Sessions, o)
		}
	}
	for _, v := range s.Secrets {
		if !slices.ContainsFunc(all.Secrets, func(o Secret) bool { return o.Name == v.Name }) {
			all.Secrets = append(slices.Clip(all.Secrets), v)
		}
	}
	return all
}

// sessionEnv returns the name of the environment variable that replaces a user's log-in.
func sessionEnv(u model.User) string {
	what := "TOKEN"
	if u.Login.Token == nil {
		what = "COOKIES"
	}
	return "SONDE_" + what + "_" + strings.ToUpper(cmp.Or(strings.Join(ascii(words(u.Name)), "_"), "user"))
}

// ascii returns the words without characters other than ASCII letters, digits and underscores. It leaves out words
// without such characters.
func ascii(words []string) []string {
	var all []string
	for _, w := range words {
		w = notPlain.ReplaceAllString(w, "")
		if w != "" {
			all = append(all, w)
		}
	}
	return all
}

var (
	notPlain = regexp.MustCompile(`[^0-9A-Za-z_]`)
	envName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)
