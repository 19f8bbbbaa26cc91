package export

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// Script is a suite in no language yet: for each call what is sent, what of earlier
// answers is in it, and what is wanted of its answer. All of it is escaped for its place
// in the message; a format only has to quote.
type Script struct {
	Title string
	// BaseURL is where the service was, "" where nobody knows; it ends in no slash.
	BaseURL  string
	Insecure bool
	TLS      model.TLS // files that TLS with the service needs, seen from the folder of the tests
	Command  string    // that makes the file again, "" where nobody knows
	// Spec is where the document is, as a person said it; "" where nobody knows.
	Spec    string
	Secrets []Secret
	Reset   *Request // before each test; nil where no request does
	// Sessions are those of all users who log in or are made, where cases share them: helpers
	// serve files of other exports, too.
	Sessions []*Session
	Cases    []Case
	Shows    bool // it is of tests that show faults
	Opening  []string
	// Lacks says what the suite has and the file has not, a line each.
	Lacks []string
}

// Secret is a variable of the environment that a file reads.
type Secret struct {
	Name, About string
	Default     string // where it is no secret
}

// Case is a test.
type Case struct {
	// Name is an identifier in ASCII, CreateProductThenGetPrice_404, which no other case
	// has in any spelling of its letters.
	Name, ID string
	About    []string // lines for people
	Skip     string   // why it is skipped, "" where it is not
	Steps    []Step
	// Apart is set where a call may end what log-ins gave, or change what users log in with:
	// then the case shares no session with others.
	Apart bool
}

// Uses returns the sessions that the calls of a case carry, in the order of their first use.
func (c Case) Uses() []*Session {
	var all []*Session
	for _, s := range c.Steps {
		if s.Session != nil && !slices.Contains(all, s.Session) {
			all = append(all, s.Session)
		}
	}
	return all
}

// Step is a call and what is wanted and taken of its answer.
type Step struct {
	Op model.OpID
	// About says what a step is for that is no call of the test, "" elsewhere.
	About string
	// Makes is set for a request that makes a user.
	Makes bool
	// Session is that of the user who makes the call, nil where there is none.
	Session *Session
	Request
	Status int // 0 is any
	Checks []model.Check
	Takes  []*Take
	// Wants are what else must hold, or where it is Broken does not hold today.
	Wants  []Want
	Broken bool
}

// Fault reports whether the answer is most likely one of the service, where nothing else
// says so.
func (s Step) Fault() bool { return s.Status >= 500 && !s.Broken }

// FaultRemark returns what people should know of such an answer.
func FaultRemark(status int) string {
	return fmt.Sprintf("%d is most likely a fault of the service. Once it is mended, put the right status here.", status)
}

// Request is a message to the service.
type Request struct {
	Method  string
	Path    []Part // with the query
	Headers []Field
	Basic   []Part // user:password, nil where nobody proves it so
	Body    *Body
	// Template and Params are what Path is made of. What is fixed is in Path alone.
	Template string
	Params   []Param
}

// Field is a header.
type Field struct {
	Name  string
	Value []Part
}

// Param is a parameter outside the body: a text as it was before it was escaped, or
// what a Take gives.
type Param struct {
	In   model.Location
	Name string
	Part
}

// Body is that of a request, whose media type is one of the headers.
type Body struct {
	Media string
	Parts []Part
	JSON  bool
	// Form are the fields of a log-in by a form, which Parts spell; nil elsewhere.
	Form []Field
}

// Part is a piece of text, what a Take gives, or what a variable of the environment
// does.
type Part struct {
	Text string
	Take *Take
	Env  string
	As   Escape // of a Take and of a variable
	Was  string // what the test itself has in the place of a Take, as As spells it
}

// Escape is how a value is spelled in its place.
type Escape string

// The spellings: in a segment of a path, in a query, in a form, as JSON, as JSON that is
// a number where its text is one, and as it is.
const (
	AsPath   Escape = "path"
	AsQuery  Escape = "query"
	AsForm   Escape = "form"
	AsJSON   Escape = "json"
	AsNumber Escape = "number"
	AsText   Escape = "text"
)

// Take is a part of an answer that later calls need.
type Take struct {
	Kind            TakeKind
	Words           []string // at least two of its name, of lower-case ASCII
	Header, Pointer string
	Step            int // index of the step
}

// TakeKind is which part of an answer is taken.
type TakeKind string

// The parts: the value at a JSON pointer or the last segment of the URL in a header; a header;
// the whole body, which is a text, as JSON or not; and the cookies that are set, as the header
// Cookie has them.
const (
	TakeValue   TakeKind = ""
	TakeHeader  TakeKind = "header"
	TakeBody    TakeKind = "body"
	TakeCookies TakeKind = "cookies"
)

// Join joins the words of a name.
func (t *Take) Join(between string) string { return strings.Join(t.Words, between) }

// Camel returns the name like productID.
func (t *Take) Camel() string { return camel(t.Words) }

// Logins is how the users of a script log in.
type Logins int

// The ways: by the first steps of each case; once, with requests that carry what a log-in
// gives, or that only name the session; and not at all, so that variables of the environment
// hold what log-ins give.
const (
	LoginsEach Logins = iota
	LoginsOnce
	LoginsNamed
	LoginsByVariable
	LoginsPlain // as LoginsEach, but by variable where the log-in is more than a request that gives a token
)

// Script returns what files in other formats than Go say. The error is as of Go.
func (s Suite) Script(how Logins) (Script, error) {
	lacks := s.lacks()
	lacks = append(lacks, s.notLoggedIn(how)...)
	s.Tests = slices.DeleteFunc(slices.Clone(s.Tests), func(t model.Test) bool { return last(t) < 0 || s.hosted(t) })
	s.Net, s.Local = nil, false
	if len(s.Tests) == 0 && len(lacks) > 0 {
		return Script{}, fmt.Errorf("%w that needs no hosts around the service: --format go plays them", ErrEmpty)
	}
	if err := s.check(); err != nil {
		return Script{}, err
	}
	base := strings.TrimRight(loginInURL.ReplaceAllString(s.BaseURL, "//"), "/")
	if strings.Contains(base, model.PortPlaceholder) {
		base = ""
	}
	out := Script{
		Title: cmp.Or(remark(s.Title, 60), "an API"), BaseURL: base, Insecure: s.Insecure, TLS: s.TLS, Spec: s.Spec,
		Command: remark(loginInURL.ReplaceAllString(s.Command, "//"), 2000), Lacks: lacks,
	}
	s = s.titled()
	w := scripter{Suite: s, secrets: map[string]bool{}, logins: how, taken: names{}, shared: map[string]*Session{}, made: map[string]bool{}}
	out.Reset = w.resetRequest()
	if how == LoginsOnce || how == LoginsNamed {
		w.openAll()
	}
	used, known := names{}, names{}
	for _, t := range s.Tests {
		out.Cases = append(out.Cases, w.caseOf(t, used, known))
	}
	out.Secrets, out.Sessions = w.named, w.open
	out.Shows, out.Opening = s.shows != nil, s.opening()
	return out, w.err
}

// hosted reports whether a test has hosts around the service.
func (s Suite) hosted(t model.Test) bool { return len(t.Stubs) > 0 }

// lacks says what no format but Go can do.
func (s Suite) lacks() []string {
	var all []string
	add := func(on bool, format string, args ...any) {
		if on {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	hosted, mimics := several(s.those(s.hosted)), several(s.those(func(t model.Test) bool { return t.Mock != nil && !s.hosted(t) }))
	all = append(all, s.unshown...)
	add(len(s.leftOut()) > 0, "Left out, because they have not been run: %s.", strings.Join(s.leftOut(), ", "))
	add(s.Unsound() != "", "%s", s.Unsound())
	add(len(hosted) > 0, "Left out, because they play hosts around the service, which --format go does: %s.", strings.Join(hosted, ", "))
	add(
		len(mimics) > 0, "Only the status is looked at of what was recorded, --format go compares the rest: %s.",
		strings.Join(mimics, ", "),
	)
	if s.Service != nil {
		add(true, "The service is not started, as --format go does: start it first: %s.", remark(strings.Join(s.Service.Command, " "), 200))
	}
	if s.Reset != nil {
		add(s.Reset.Restart, "The service is not restarted before each test, as --format go does.")
		add(
			len(s.Reset.Command) > 0, "The service is not reset before each test, as --format go does: %s.",
			remark(strings.Join(s.Reset.Command, " "), 200),
		)
	}
	return all
}

// notLoggedIn says which users have to be logged in by hand.
func (s Suite) notLoggedIn(how Logins) []string {
	var all []string
	for _, u := range s.callers() {
		if u.Login != nil && how.byVariable(u) {
			all = append(
				all,
				fmt.Sprintf("The user %s is not logged in: set %s to what the log-in gives.", remark(u.Name, 60), sessionEnv(u)),
			)
		}
	}
	return all
}

// With returns a script that has what files with both need to share: it has no cases.
func (s Script) With(other Script) Script {
	all := other
	all.Cases, all.Lacks = nil, nil
	all.Shows = s.Shows || other.Shows
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

// those returns the tests that were run and of which something is so.
func (s Suite) those(is func(model.Test) bool) []string {
	var all []string
	for _, t := range s.Tests {
		if last(t) >= 0 && is(t) {
			all = append(all, remark(t.ID, 40))
		}
	}
	return all
}

// sessionEnv returns the variable that holds what a user's log-in gives.
func sessionEnv(u model.User) string {
	what := "TOKEN"
	if u.Login.Token == nil {
		what = "COOKIES"
	}
	return "SONDE_" + what + "_" + strings.ToUpper(cmp.Or(strings.Join(ascii(words(u.Name)), "_"), "user"))
}

// ascii returns the words without what is no ASCII.
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
