package format

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"sonde/export"
)

// language is the syntax of a programming language. Helpers have the same names in all languages, such as send(method,
// path, options) and reply.want(status).
type language struct {
	comment string // the start of a comment line
	// plain is set if comments must be in ASCII and without backslashes: Java reads \u as an escape even in comments.
	plain  bool
	end    string // the end of a statement
	single bool   // strings may have single quotes
	wide   bool   // \U0001F600 is an escape; otherwise an escape is a surrogate pair
	// first is the start of the first statement in a test that sends a request, and again is the start of
	// later ones.
	first, again string
	declare      string // the start of a declaration, before the name
	wait         string // the start of a call of a helper that waits
	name         func(*export.Capture) string
}

// program prints tests in a language.
type program struct {
	writer
	language
	publicVars map[string]string // the values of environment variables that are not secret
}

func newProgram(l language, s export.Script) *program {
	return &program{writer: newWriter(), language: l, publicVars: publicValues(s)}
}

// publicValues returns the environment variables whose values are not secret, with their values.
func publicValues(s export.Script) map[string]string {
	all := map[string]string{}
	for _, v := range s.Secrets {
		if v.Default != "" {
			all[v.Name] = v.Default
		}
	}
	return all
}

// remark writes lines as comments of the program's language.
func (w *program) remark(indent string, lines ...string) {
	for _, l := range lines {
		if w.plain {
			l = plainText(l)
		}
		w.remarks(indent+w.comment, l)
	}
}

// plainText returns a line in ASCII and without backslashes.
func plainText(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\\':
			return '/'
		case r > '~':
			return '?'
		}
		return r
	}, strings.ReplaceAll(line, "→", "->"))
}

// fileOf returns tests if the script has tests, and faults if it shows faults.
func fileOf(s export.Script, tests, faults string) string {
	if s.ShowsFaults {
		return faults
	}
	return tests
}

// calls writes the calls of a test, and the assertions on their answers.
func (w *program) calls(c export.TestCase, indent string) {
	if c.OwnSessions {
		w.line("%sapart()%s", indent, w.end)
	}
	w.arrange(c, indent)
	start := w.first
	for _, s := range c.Steps {
		w.WriteByte('\n')
		if s.UnderTest {
			w.beforeAct(c.Mimics, indent)
		}
		if s.Pause > 0 {
			w.remark(indent, export.PauseRemark)
			w.line("%s%ssleep(%s)%s", indent, w.wait, seconds(s.Pause.Seconds()), w.end)
		}
		if about := remarkOn(s); about != "" {
			w.remark(indent, about)
		}
		w.line("%s%s%s%s", indent, start, w.call(s, indent), w.end)
		start = w.again
		w.assertions(s, indent)
		if s.UnderTest {
			w.oracles(c.Mimics, indent)
		}
	}
}

// assertions writes the assertions on an answer, and the declarations of the captured values.
func (w *program) assertions(s export.TestStep, indent string) {
	if s.Status != 0 && !s.Unasserted {
		w.line("%sreply.want(%d)%s", indent, s.Status, w.end)
	}
	for _, want := range s.Assertions {
		w.line("%sreply.%s%s", indent, w.assertionCall(want, s.Broken), w.end)
	}
	for _, k := range s.Checks {
		if len(k.Equals) == 0 {
			w.line("%sreply.present(%s)%s", indent, w.quote(k.Pointer), w.end)
		} else {
			w.line("%sreply.holds(%s, %s)%s", indent, w.quote(k.Pointer), w.quote(string(k.Equals)), w.end)
		}
	}
	for _, t := range s.Captures {
		w.line("%s%s%s = reply.%s%s", indent, w.declare, w.name(t), w.captureCall(t), w.end)
	}
}

// captureCall returns the method call that takes a captured value from a reply.
func (w *program) captureCall(t *export.Capture) string {
	switch {
	case t.Pattern != "" && t.URLPlace() == "":
		return "part(" + w.quote(t.Pattern) + ")"
	case t.Pattern != "":
		return "partOf(" + w.quote(t.URLPlace()) + ", " + w.quote(t.Pattern) + ")"
	case t.Kind == export.CaptureHeader:
		return "headed(" + w.quote(t.Header) + ")"
	case t.Kind == export.CaptureBody:
		return "whole()"
	case t.Kind == export.CaptureCookies:
		return "cookies()"
	case t.Header != "":
		return "ending(" + w.quote(t.Header) + ")"
	}
	return "field(" + w.quote(t.Pointer) + ")"
}

// remarkOn returns a comment on a step, "" for none.
func remarkOn(s export.TestStep) string {
	about := s.About
	if s.IsServerFault() {
		about = export.ServerErrorRemark(s.Status)
	}
	return strings.TrimSpace(about + " " + s.Body.Remark())
}

// expectations are the names of the helpers for assertions, by kind. AssertStatus has none.
var expectations = map[export.AssertionKind]string{
	export.AssertType:      "typed",
	export.AssertPresent:   "given",
	export.AssertAbsent:    "absent",
	export.AssertOneOf:     "among",
	export.AssertPattern:   "matching",
	export.AssertHeader:    "headed",
	export.AssertNoMatch:   "without",
	export.AssertUnchanged: "unchanged",
	export.AssertListed:    "listed",
	export.AssertCovers:    "covering",
	export.AssertDisjoint:  "disjoint",
}

// assertionCall returns the method call for an assertion on a reply. If broken is set, it is the call for
// the negated assertion, except for an assertion on the status.
func (w *program) assertionCall(want export.Assertion, broken bool) string {
	var args []string
	switch want.Kind {
	case export.AssertHeader:
		args = append(args, w.quote(want.Header))
	case export.AssertStatus, export.AssertNoMatch:
	default:
		args = append(args, w.quote(want.Pointer))
	}
	for _, v := range want.Values {
		args = append(args, w.quote(v))
	}
	if want.Capture != nil {
		args = append(args, w.name(want.Capture))
	}
	all := strings.Join(args, ", ")
	switch {
	case want.Kind == export.AssertStatus:
		return "statusIn(" + all + ")"
	case broken:
		return "broken(" + expectations[want.Kind] + "(" + all + "))"
	}
	return "expect(" + expectations[want.Kind] + "(" + all + "))"
}

// calledNames returns the names that a text calls as functions, in the given order.
func calledNames(text string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !regexp.MustCompile(`(^|[^\w.])` + name + `\(`).MatchString(text)
	})
}

// The names of the helpers that tests call: common in all tests, sessionNames in tests whose users log in, and
// expectationNames in tests that show faults. shared has all of them.
var (
	common           = []string{"reset", "send", "header", "basic", "body", "data", "secret"}
	sessionNames     = []string{"apart", "user", "refusedUser"}
	expectationNames = []string{
		"typed", "given", "absent", "among", "matching", "headed", "without", "unchanged", "listed", "covering", "disjoint",
		"sleep",
	}
	shared = slices.Concat(common, sessionNames, expectationNames)
)

// tests returns the tests of a script. Each test is a region of the file, which an update may replace. test writes
// one test.
func (w *program) tests(s export.Script, indent string, test func(export.TestCase)) string {
	outer := w.writer
	w.writer = newWriter()
	for _, c := range s.Cases {
		if c.Mimics != nil {
			c.About = append(slices.Clip(c.About), c.Mimics.About...)
		}
		w.region(indent+w.comment, c.Name, func() { test(c) })
	}
	text := w.String()
	w.writer = outer
	return text
}

// send returns the expression that sends a request.
func (w *program) send(r export.Request, indent string) string {
	return w.call(export.TestStep{Request: r}, indent)
}

// call returns the expression that sends the request of a step. The option for the user comes last, because
// it overrides headers.
func (w *program) call(s export.TestStep, indent string) string {
	r := s.Request
	args := []string{w.quote(r.Method), w.expr(r.Path, indent)}
	for _, h := range r.Headers {
		args = append(args, "header("+w.quote(h.Name)+", "+w.expr(h.Value, indent)+")")
	}
	if r.Basic != nil {
		args = append(args, "basic("+w.expr(r.Basic, indent)+")")
	}
	if r.Body != nil {
		args = append(args, w.body(r.Body, indent))
	}
	switch {
	case s.Session == nil:
	case s.Status == 401: // the test expects the 401, so no new log-in is needed
		args = append(args, "refusedUser("+w.quote(s.Session.Name)+")")
	default:
		args = append(args, "user("+w.quote(s.Session.Name)+")")
	}
	between := ",\n" + indent + w.tab()
	return "send(" + wrapped(append([]string{args[0] + ", " + args[1]}, args[2:]...), ", ", between) + ")"
}

// tab returns one step of indentation.
func (w *program) tab() string { return "    " }

// body returns the option for a body. A body that is not UTF-8 is written in base64.
func (w *program) body(b *export.RequestBody, indent string) string {
	if text, ok := fixed(b.Parts); ok && !utf8.ValidString(text) {
		return "data(" + w.quote(base64.StdEncoding.EncodeToString([]byte(text))) + ")"
	}
	return "body(" + w.expr(b.Parts, indent+w.tab()+w.tab()) + ")"
}

// expr returns the expression for parts. It has one line for each line of the text.
func (w *program) expr(parts []export.TextPart, indent string) string {
	var lines, terms []string
	for _, p := range merged(parts) {
		if !isText(p) {
			terms = append(terms, w.value(p))
			continue
		}
		for i, text := range strings.SplitAfter(p.Text, "\n") {
			if i > 0 {
				lines, terms = append(lines, strings.Join(terms, " + ")), nil
			}
			if text != "" {
				terms = append(terms, w.quote(text))
			}
		}
	}
	if len(terms) > 0 || len(lines) == 0 {
		lines = append(lines, strings.Join(terms, " + "))
	}
	if all := strings.Join(lines, " +\n"+indent); all != "" {
		return all
	}
	return w.quote("")
}

// value returns the expression for a captured value or an environment variable.
func (w *program) value(p export.TextPart) string {
	if p.Variable == "" {
		return w.name(p.Capture) + "." + string(p.Escaping) + "()"
	}
	name := w.quote(p.Variable)
	if text, ok := w.publicVars[p.Variable]; ok {
		name += ", " + w.quote(text)
	}
	return "secret(" + name + ")." + string(p.Escaping) + "()"
}

// quote returns a text as a string literal of visible characters.
func (w *program) quote(text string) string {
	mark := '"'
	if w.single && strings.Contains(text, `"`) && !strings.Contains(text, "'") {
		mark = '\''
	}
	var b strings.Builder
	b.WriteRune(mark)
	for _, r := range text {
		short := strings.IndexRune("\n\r\t", r)
		switch {
		case short >= 0:
			b.WriteString([]string{`\n`, `\r`, `\t`}[short])
		case r == mark || r == '\\':
			b.WriteString(`\` + string(r))
		case r <= '~' && r >= ' ', w.single && unicode.IsPrint(r) && r != utf8.RuneError:
			b.WriteRune(r)
		case w.wide && r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
	}
	b.WriteRune(mark)
	return b.String()
}

// snake returns a test's name in the form create_product_then_get_price_404.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 && !strings.HasSuffix(b.String(), "_") && (!unicode.IsUpper(rune(name[i-1])) ||
			i+1 < len(name) && unicode.IsLower(rune(name[i+1]))) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
