package export

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"sonde/model"
)

// lineWidth is how long a call becomes before its options get lines of their own.
const lineWidth = 100

// function writes one test as a Go function.
type function struct {
	strings.Builder
	test model.Test
	variant
	first   string   // what it begins with, a statement or ""
	stubs   []string // statements
	covers  string   // a comment, or ""
	shots   []*shot
	sources []*source
	linked  map[*model.Link]part
	// reserved are the names that mean something else; locals are those and
	// the variables' so far.
	reserved, locals names
}

// write writes the function's comment and body. Calls that take one line stand together,
// others have a blank line around them.
func (f *function) write() {
	f.WriteString(seqComment(f.test) + f.aboutComment() + whenComment(f.test) + f.covers)
	fmt.Fprintf(f, "func %s(t *testing.T) {\n", f.name)
	blocks := f.blocks()
	for i, b := range blocks {
		if i > 0 && (strings.Contains(b.text, "\n") || strings.Contains(blocks[i-1].text, "\n") || blocks[i-1].apart) {
			f.WriteByte('\n')
		}
		f.WriteString("\t" + b.text + "\n")
	}
	f.WriteString("}\n")
}

// block is some lines that stand together.
type block struct {
	text  string
	apart bool // from the next
}

// blocks are those of the function's body.
func (f *function) blocks() []block {
	var all []block
	if start := f.start(); start != "" {
		all = append(all, block{start, true})
	}
	if len(f.stubs) > 0 {
		all = append(all, block{strings.Join(f.stubs, "\n\t"), true})
	}
	for i, s := range f.shots {
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

// block returns a call and what is wanted and taken of its answer.
func (f *function) block(i int) string {
	c, s := f.test.Calls[i], f.shots[i]
	checks, sources := f.at(i)
	if c.AnyStatus {
		return "// This only prepares: what it creates may be there already.\n\t" + s.call()
	}
	var lines []string
	if c.Status >= 500 {
		lines = append(lines, fmt.Sprintf("// %d is most likely a fault of the service. Once it is mended, put the right status here.", c.Status))
	}
	if len(checks)+len(sources) == 0 {
		return strings.Join(append(lines, fmt.Sprintf("%s.want(%d)", s.call(), c.Status)), "\n\t")
	}
	name := f.local(describe(c.Op).subject(), "reply")
	lines = append(lines, name+" := "+s.call(), fmt.Sprintf("%s.want(%d)", name, c.Status))
	for _, k := range checks {
		lines = append(lines, name+"."+expectation(k))
	}
	for _, from := range sources {
		from.name = f.local(from.words(describe(c.Op).subject()), "value")
		lines = append(lines, from.name+" := "+name+"."+from.taking())
	}
	return strings.Join(lines, "\n\t")
}

// at returns the checks of a call and the sources in its answer.
func (f *function) at(i int) ([]model.Check, []*source) {
	checks := slices.DeleteFunc(slices.Clone(f.test.Checks), func(c model.Check) bool { return c.Call != i })
	sources := slices.DeleteFunc(slices.Clone(f.sources), func(s *source) bool { return s.call != i })
	return checks, sources
}

// local returns a free name for a variable, made of words.
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
	return f.locals.free(free, "")
}

// seqComment says which operations a test calls, and whether it may fail at
// times.
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

func (s *source) taking() string {
	if s.header != "" {
		return fmt.Sprintf("idIn(%s)", quoted(s.header))
	}
	return fmt.Sprintf("field(%s)", quoted(s.pointer))
}

// words returns what the value is called: productID for the id of a product.
func (s *source) words(subject []string) []string {
	name := words(s.pointer[strings.LastIndexByte(s.pointer, '/')+1:])
	one := slices.Clone(subject)
	one[len(one)-1] = singular(one[len(one)-1])
	switch {
	case s.header != "" || slices.Equal(name, []string{"id"}):
		return append(one, "id")
	case len(name) == 0 || slices.Equal(name, subject):
		return append(one, "value")
	}
	return name
}
