package export

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
	"time"

	"sonde/model"
)

// lineWidth is the maximum length of a line of a test's comment, and of a line that has a call with all its options.
const lineWidth = 100

// function writes one variant of a test as a Go function. A test of a recorded exchange may have a variant for each
// oracle; other tests have one.
type function struct {
	strings.Builder
	test  model.Test
	shown *shownFault // nil if the test shows no fault
	variant
	users       userList
	headers     []model.Credential // those of each request to the service
	firstCall   string             // the first statement, or ""
	ownSessions bool               // the test shares no session with other tests
	stubs       []string           // statements
	rows        string             // the statement that inserts rows, or ""
	coverage    string             // a comment, or ""
	bodies      *bodyFiles
	calls       []*boundCall
	sources     []*source
	linkedParts map[*model.Link]part
	// reserved has names that variables must not have. locals has these and the names of all variables so
	// far.
	reserved, locals names
}

// write writes the function's comment and body. There is a blank line before and after each call of
// several lines.
func (f *function) write() {
	f.WriteString(seqComment(f.test) + f.aboutComment() + whenComment(f.test) + f.faultComment() + f.coverage)
	fmt.Fprintf(f, "func %s(t *testing.T) {\n", f.name)
	blocks := f.blocks()
	for i, b := range blocks {
		if i > 0 && (strings.Contains(b.text, "\n") || strings.Contains(blocks[i-1].text, "\n") || blocks[i-1].blankAfter) {
			f.WriteByte('\n')
		}
		f.WriteString("\t" + b.text + "\n")
	}
	f.WriteString("}\n")
}

// block is a group of lines without a blank line between them.
type block struct {
	text       string
	blankAfter bool // a blank line follows
}

// blocks returns the groups of lines of the function's body.
func (f *function) blocks() []block {
	var all []block
	if why := f.shown.reason(); why != "" {
		all = append(all, block{"t.Skip(" + quoted(why) + ")", true})
	}
	if start := f.start(); start != "" {
		all = append(all, block{start, true})
	}
	if f.ownSessions {
		all = append(all, block{"ownSessions(t)", true})
	}
	if f.rows != "" {
		all = append(all, block{f.rows, true})
	}
	if len(f.stubs) > 0 {
		all = append(all, block{strings.Join(f.stubs, "\n\t"), true})
	}
	for i, s := range f.calls {
		if s != nil && !f.isTested(i) {
			all = append(all, block{f.block(i), false})
		}
	}
	if len(f.oracles) > 0 {
		act, assert := f.act()
		all = append(all, block{act, true}, block{assert, true})
	}
	return all
}

// block returns a call with the assertions on its answer and the variables for captured values.
func (f *function) block(i int) string {
	c, s := f.test.Calls[i], f.calls[i]
	checks, sources := f.checksAndSources(i)
	lines, wants := f.statusAssertions(i)
	if f.test.PausesBefore(i) {
		lines = append(lines, "// "+PauseRemark, GoSleep(f.test.Pause))
	}
	if about := bodyRemark(c.Body); about != "" {
		lines = append(lines, "// "+about)
	}
	if len(checks)+len(sources) == 0 && len(wants) < 2 {
		return strings.Join(append(lines, strings.Join(append([]string{s.call()}, wants...), ".")), "\n\t")
	}
	name := f.local(describe(c.Op).subject(), "reply")
	lines = append(lines, name+" := "+s.call())
	for _, w := range wants {
		lines = append(lines, name+"."+w)
	}
	for _, k := range checks {
		lines = append(lines, name+"."+expectation(k))
	}
	for _, from := range sources {
		from.name = f.local(from.words(describe(c.Op).subject()), "value")
		lines = append(lines, from.name+" := "+name+"."+from.captureExpr())
	}
	return strings.Join(lines, "\n\t")
}

// GoSleep returns the Go statement that waits.
func GoSleep(d time.Duration) string { return "time.Sleep(" + GoDuration(d) + ")" }

// GoDuration returns a duration as a Go expression, in milliseconds.
func GoDuration(d time.Duration) string {
	return fmt.Sprintf("%d * time.Millisecond", d.Milliseconds())
}

// statusAssertions returns remarks on the status of a call, and the assertions on its answer that are not
// checks.
func (f *function) statusAssertions(i int) (remarks, wants []string) {
	c := f.test.Calls[i]
	if f.shown != nil && i == last(f.test) {
		return nil, f.faultAssertions(c.Status)
	}
	switch {
	case c.AnyStatus && c.Status >= 500:
		return []string{"// This call only prepares: its answer is a fault, which another test shows."}, nil
	case c.AnyStatus:
		return []string{"// This call only prepares: what it creates may exist already."}, nil
	}
	if c.Status >= 500 {
		remarks = append(remarks, "// "+ServerErrorRemark(c.Status))
	}
	return remarks, []string{fmt.Sprintf("want(%d)", c.Status)}
}

// faultAssertions returns the assertions on the answer that shows a fault.
func (f *function) faultAssertions(status int) (wants []string) {
	status = f.shown.status(status)
	if status != 0 {
		wants = append(wants, fmt.Sprintf("want(%d)", status))
	}
	verb := "expect"
	if f.shown.pinned() {
		verb = "stillBroken"
	}
	for _, w := range f.shown.assertions() {
		if w.Kind == AssertStatus {
			wants = append(wants, "wantStatusIn("+list(w.Values)+")")
		} else {
			wants = append(wants, verb+"("+f.expectation(w)+")")
		}
	}
	return wants
}

// expectation returns an assertion as the Go expression of a helper.
func (f *function) expectation(w Assertion) string {
	if w.Kind.Compares() {
		return goComparisons[w.Kind] + "(" + quoted(w.Pointer) + ", " + f.linkedParts[w.link].from.name + ")"
	}
	return w.GoExpression()
}

// faultComment returns the comment on the fault that the test shows, "" for none.
func (f *function) faultComment() string {
	if f.shown == nil {
		return ""
	}
	text := ""
	for _, line := range f.shown.about() {
		text += strings.TrimRight("// "+line, " ") + "\n"
	}
	return text
}

// insertion returns the Go statement that inserts rows, "" if there are none.
func insertion(rows []model.Row) string {
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("database.insert(\n\t\tt,\n")
	for _, r := range rows {
		insert, remove := quoted(r.InsertStatement()), quoted(r.DeleteStatement())
		fmt.Fprintf(&b, "\t\ttableRow{table: %s, insert: %s, remove: %s},\n", quoted(r.Table), insert, remove)
	}
	return b.String() + "\t)"
}

// checksAndSources returns the checks of a call and the sources in its answer.
func (f *function) checksAndSources(i int) ([]model.Check, []*source) {
	checks := slices.DeleteFunc(slices.Clone(f.test.Checks), func(c model.Check) bool { return c.Call != i })
	sources := slices.DeleteFunc(slices.Clone(f.sources), func(s *source) bool { return s.call != i })
	return checks, sources
}

// local returns an unused name for a variable, made of words. It appends kind if the words alone are not a
// usable name.
func (f *function) local(words []string, kind string) string {
	name := []rune(camel(words))
	name = name[:min(len(name), 30)]
	free := string(name)
	if !token.IsIdentifier(free) || f.reserved[free] {
		free = camel(slices.Concat(words, []string{kind}))
	}
	if !token.IsIdentifier(free) {
		free = kind
	}
	return f.locals.unused(free, "")
}

// seqComment returns the comment that lists the operations of a test, and the reasons why it may sometimes
// fail.
func seqComment(t model.Test) string {
	line := "// Test " + remark(t.ID, 40) + ":"
	if t.ID == "" {
		line = "// Calls"
	}
	var b strings.Builder
	arrow := ""
	for _, c := range t.Calls {
		if c.Status == 0 {
			continue
		}
		word := arrow + " " + remark(string(c.Op), 80)
		arrow = " →"
		if len(line)+len(word) > lineWidth {
			b.WriteString(line + "\n")
			line = "//"
		}
		line += word
	}
	b.WriteString(line + "\n")
	if t.EarlierState != "" {
		b.WriteString("//\n// It depends on earlier state: " + remark(t.EarlierState, 200) + ".\n")
	}
	if t.Flaky != "" {
		b.WriteString("//\n// It is flaky: " + remark(t.Flaky, 200) + ".\n")
	}
	return b.String()
}

// expectation returns a check as the Go call of a method.
func expectation(c model.Check) string {
	if len(c.Equals) == 0 {
		return fmt.Sprintf("wantPresent(%s)", quoted(c.Pointer))
	}
	want := string(c.Equals)
	if tree, ok := parseJSON(want); ok {
		want = tree.layout(1)
	}
	return fmt.Sprintf("wantJSON(%s, %s)", quoted(c.Pointer), rawJSON(want))
}

// captureExpr returns the Go method call that captures the value from an answer.
func (s *source) captureExpr() string {
	if s.pattern != "" {
		place := cmp.Or(s.header, s.pointer)
		if place == "" {
			return fmt.Sprintf("part(%s)", quoted(s.pattern))
		}
		return fmt.Sprintf("partOf(%s, %s)", quoted(place), quoted(s.pattern))
	}
	if s.header != "" {
		return fmt.Sprintf("idIn(%s)", quoted(s.header))
	}
	return fmt.Sprintf("field(%s)", quoted(s.pointer))
}

// words returns words for the name of a captured value: [product id] for the id of a product.
func (s *source) words(subject []string) []string {
	name := words(s.pointer[strings.LastIndexByte(s.pointer, '/')+1:])
	one := slices.Clone(subject)
	one[len(one)-1] = singular(one[len(one)-1])
	switch {
	case s.header != "" || s.pattern != "" || slices.Equal(name, []string{"id"}):
		return append(one, "id")
	case len(name) == 0 || slices.Equal(name, subject):
		return append(one, "value")
	}
	return name
}
