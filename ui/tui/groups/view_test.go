package groups

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// fleet returns an API with groups of 2, 1 and 3 operations, in this order.
func fleet() []*model.Operation {
	return []*model.Operation{
		operation("drivers", nil, []string{"driver_id"}),
		operation("licences", []string{"driver_id"}, []string{"points"}),
		operation("weather", []string{"town"}, []string{"wind"}),
		operation("cars", nil, []string{"plate"}),
		operation("parkings", []string{"plate"}, []string{"zone"}),
		operation("tolls", []string{"plate"}, []string{"fee"}),
	}
}

// opened returns a screen of 120 × 40 cells with all groups drawn and counted.
func opened(t *testing.T, ops []*model.Operation) *Screen {
	t.Helper()
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.Update(screen.SpecOpened{Spec: analyze(t, ops)})
	_, cmd := s.Update(screen.Shown{Tab: screen.TabGroups})
	run(s, cmd)
	return s
}

// run runs a command and sends its messages to a screen.
func run(s *Screen, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			run(s, c)
		}
	case nil:
	default:
		_, next := s.Update(msg)
		run(s, next)
	}
}

// press presses keys: single characters, or names such as "enter".
func press(s *Screen, names ...string) {
	types := map[string]tea.KeyType{
		"enter": tea.KeyEnter,
		"esc":   tea.KeyEsc,
		"down":  tea.KeyDown,
		"up":    tea.KeyUp,
	}
	for _, name := range names {
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
		if typ, ok := types[name]; ok {
			k = tea.KeyMsg{Type: typ}
		}
		_, cmd := s.Update(k)
		run(s, cmd)
	}
}

// text returns the screen without styles.
func text(s *Screen) string { return ansi.Strip(s.View(s.view.width, s.view.height)) }

func TestTableOrder(t *testing.T) {
	table := groupTable{find: finder.New("")}
	table.open(analyze(t, fleet()))
	sizes := func() []int {
		var out []int
		for _, g := range table.order {
			out = append(out, len(table.analyzed.Groups[g].Operations))
		}
		return out
	}
	if got := sizes(); !slices.Equal(got, []int{3, 2, 1}) {
		t.Errorf("by size: got groups of %v operations", got)
	}
	at := table.section()
	table.byNumber = true
	table.sort()
	if !slices.IsSorted(table.order) || table.section() != at {
		t.Errorf("by number: got %v with the cursor on group %d, want it on %d", table.order, table.section(), at)
	}
	if table.moveTo(len(table.order)) || !table.moveTo(table.order[1]) {
		t.Error("the cursor moves to a group that does not exist, or not to one that does")
	}
}

func TestTableFilter(t *testing.T) {
	table := groupTable{find: finder.New("")}
	table.open(analyze(t, fleet()))
	for _, tc := range []struct {
		filter, title string
		groups        int
	}{
		{"", "Groups  by name, shallow", 3},
		{"plate", "Groups 1 of 3  by name, shallow", 1},
		{"licences", "Groups 1 of 3  by name, shallow", 1},
		{"nothing", "Groups 0 of 3  by name, shallow", 0},
	} {
		table.find.SetText(tc.filter)
		table.sort()
		if len(table.order) != tc.groups || table.title() != tc.title {
			t.Errorf("%q: got %d groups and %q, want %d and %q",
				tc.filter, len(table.order), table.title(), tc.groups, tc.title)
		}
		if tc.groups == 0 && table.section() != -1 {
			t.Errorf("%q: the cursor is on group %d of none", tc.filter, table.section())
		}
	}
}

// filterOf is a filter that matches the given operations and values, in order of relevance. The operations that
// follow the entry "by value" match only by value.
type filterOf []string

func (f filterOf) filtering() bool { return len(f) > 0 }

func (f filterOf) opRank(op model.OpID) filter.MatchRank {
	switch at := slices.Index(f, string(op)); {
	case at < 0:
		return filter.NoMatch
	case slices.Contains(f[:at], "by value"):
		return filter.ContentMatch
	}
	return filter.NameMatch
}

func (f filterOf) opRelevance(op model.OpID) filter.Relevance {
	return filter.Relevance(len(f) - slices.Index(f, string(op)))
}

func (f filterOf) valuesFit(names []string) bool { return slices.Contains(f, names[0]) }

func TestMembers(t *testing.T) {
	ops := []model.OpID{"GET /a", "GET /b"}
	values := []exchange{
		{ValueFlow: valuegroup.ValueFlow{Names: []string{"x"}}}, {ValueFlow: valuegroup.ValueFlow{Names: []string{"y", "z"}}},
	}
	for _, tc := range []struct {
		name   string
		filter filterOf
		want   []int
	}{
		{"no filter", nil, []int{0, 1, 2, 3}},
		{"an operation and a value", filterOf{"GET /b", "y"}, []int{1, 3}},
		{"the nearest operation first", filterOf{"GET /b", "x", "GET /a"}, []int{1, 0, 2}},
		{"an operation by value", filterOf{"GET /b", "by value", "GET /a"}, []int{1, headingRow}},
		{"an operation by value, and a value", filterOf{"by value", "GET /b", "y"}, []int{3, headingRow}},
		{"nothing but an operation by value", filterOf{"by value", "GET /b"}, []int{1}},
		{"nothing fits", filterOf{"GET /c"}, []int{0, 1, 2, 3}},
	} {
		var m memberList
		m.fill(ops, values, tc.filter)
		if !slices.Equal(m.kept, tc.want) {
			t.Errorf("%s: got members %v, want %v", tc.name, m.kept, tc.want)
		}
	}
	var m memberList
	if m.fill(ops, values, filterOf{"GET /b", "y"}); m.moveTo("GET /a") || !m.moveTo("GET /b") {
		t.Error("the cursor moves to an operation that is not listed, or not to one that is")
	}
	if m.op() != "GET /b" || m.value() != "" {
		t.Errorf("got operation %q and value %q", m.op(), m.value())
	}
	m.rows.Go(1)
	if m.op() != "" || m.value() != "y" {
		t.Errorf("on a value: got operation %q and value %q", m.op(), m.value())
	}
	m.clear()
	if m.op() != "" || m.value() != "" || m.node(nil, 0) != -1 {
		t.Error("a list without members has one under its cursor")
	}
}

// For an operation, memberList.node returns the operation's box. For values that the same operations emit and take, it
// returns the same node.
func TestMemberNodes(t *testing.T) {
	d := drawnGroup(analyze(t, scheduler()), 0, 80)
	var m memberList
	m.fill(d.ops, d.exchanged, filterOf(nil))
	var got []int
	for row := range m.kept {
		got = append(got, m.node(d, row))
	}
	if want := []int{0, 1, 2, 2}; !slices.Equal(got, want) {
		t.Errorf("got nodes %v, want %v: the two values are one node", got, want)
	}
	if m.node(d, len(m.kept)) != -1 || m.node(nil, 0) != -1 {
		t.Error("a row that does not exist, or a missing drawing, has a node")
	}
}

func TestFigurePane(t *testing.T) {
	var f figurePane
	if f.op(0) != "" || f.click(1, 1) != -1 || f.larger() || f.note() != "" {
		t.Error("a pane without a figure has an operation or a note")
	}
	f.drawing = drawnGroup(analyze(t, scheduler()), 0, 80)
	for _, tc := range []struct {
		width int
		tree  bool
	}{{roomy - 1, true}, {roomy, false}} {
		f.fit(draw.Rect{W: tc.width, H: 20}, tc.width)
		if f.tree() != tc.tree {
			t.Errorf("%d columns: shown as a tree: %t", tc.width, f.tree())
		}
	}
	f.fit(draw.Rect{W: 20, H: 5}, roomy)
	if !f.larger() || f.note() != "scroll for more" {
		t.Errorf("a small pane does not scroll, its note is %q", f.note())
	}
	if f.op(1) != "GET /schedule" || f.op(2) != "" {
		t.Errorf("nodes 1 and 2 are %q and %q", f.op(1), f.op(2))
	}
	f.toggleTree()
	f.follow(1)
	if f.op(0) != "GET /schedule" {
		t.Errorf("the cursor of the tree is on %q", f.op(0))
	}
}

func TestSeqs(t *testing.T) {
	s := opened(t, fleet())
	if got := len(s.view.seqs.seqs()); got != 5 {
		t.Errorf("got %d seqs of the largest group by DC, want 5", got)
	}
	press(s, "d")
	if s.view.seqs.rule != 1 || !strings.Contains(text(s), "Seqs by SC") {
		t.Errorf("d does not list the seqs by SC:\n%s", text(s))
	}
	press(s, "v", "v", "v", "down")
	if got := s.view.op(); got == "" || got != s.view.seqs.op() {
		t.Errorf("the operation of the seq under the cursor is %q", got)
	}
}

// If another screen selects an operation that the filter hides, the filter is cleared.
func TestVisitClearsTheFilter(t *testing.T) {
	s := opened(t, fleet())
	press(s, "/", "w", "i", "n", "d", "enter")
	if len(s.view.table.order) != 1 {
		t.Fatalf("the filter lets %d groups through, want 1", len(s.view.table.order))
	}
	s.Update(screen.OperationSelected{Op: "GET /weather"})
	if s.view.table.find.Text() == "" {
		t.Error("the filter was cleared for an operation that it lets through")
	}
	s.Update(screen.ShowScreen{Tab: screen.TabGroups, Op: "GET /licences"})
	op, names := s.Location()
	if s.view.table.find.Text() != "" || op != "GET /licences" || len(names) != 2 {
		t.Errorf("filter %q, the cursor on %q of %q", s.view.table.find.Text(), op, names)
	}
}

// The other panes show the group under the table's cursor.
func TestPanesFollowTheTable(t *testing.T) {
	s := opened(t, fleet())
	for _, want := range []string{"cars", "drivers", "weather"} {
		if got := text(s); !strings.Contains(got, "› GET /"+want) {
			t.Errorf("no operation of %s among the members of\n%s", want, got)
		}
		if s.view.shown != s.view.table.section() {
			t.Errorf("group %d is shown, the cursor is on %d", s.view.shown, s.view.table.section())
		}
		press(s, "down")
	}
	if got, want := len(s.view.results.drawings), 3; got != want {
		t.Errorf("%d figures were drawn, want %d", got, want)
	}
}

// Each target moves the cursor of its pane, and no two targets have the same effect.
func TestTargets(t *testing.T) {
	s := opened(t, fleet())
	seen := map[string]bool{}
	for _, at := range s.Targets() {
		s.view.focus = table
		s.view.table.rows.Go(0)
		s.view.showSection()
		s.view.fit()
		s.Update(at)
		v := &s.view
		seen[fmt.Sprint(v.focus, v.table.rows.At, v.members.rows.At, v.seqs.rows.At)] = true
	}
	// There are three groups, three operations and a value, four boxes, and five seqs.
	if got, want := len(seen), 3+4+4+5; got != want {
		t.Errorf("%d targets lead to %d places, want %d: %v", len(s.Targets()), got, want, seen)
	}
}

func TestMouse(t *testing.T) {
	s := opened(t, fleet())
	click := func(p pane, x, y int) tea.Cmd {
		r := s.view.rects()[p]
		_, cmd := s.Update(tea.MouseMsg{
			X: r.X + x, Y: r.Y + y,
			Button: tea.MouseButtonLeft,
			Action: tea.MouseActionPress,
		})
		return cmd
	}
	click(table, 2, 1)
	if !s.Typing() {
		t.Error("a click on the filter does not focus it")
	}
	run(s, click(table, 2, 4))
	if s.Typing() || s.view.table.rows.At != 1 {
		t.Errorf("a click on the second group puts the cursor on row %d", s.view.table.rows.At)
	}
	click(members, 2, 2)
	if s.view.focus != members || s.view.op() != "GET /licences" {
		t.Errorf("a click on a member puts the cursor on %q", s.view.op())
	}
	if cmd := click(members, 2, 3); cmd != nil || s.view.value() == "" {
		t.Error("a click on a value does not put the cursor on it")
	}
	r := s.view.rects()[table]
	s.Update(tea.MouseMsg{X: r.X + 2, Y: r.Y + 4, Button: tea.MouseButtonWheelDown})
	if s.view.table.rows.At != 2 || s.view.shown != s.view.table.section() {
		t.Errorf("the wheel puts the cursor on row %d", s.view.table.rows.At)
	}
}

// In every state, the screen has the requested size.
func TestViewSize(t *testing.T) {
	s := opened(t, fleet())
	for _, keys := range []string{"", "b", "v", "v", "v", "t", "d", "/"} {
		if keys != "" {
			press(s, keys)
		}
		for _, size := range [][2]int{{40, 9}, {60, 20}, {80, 24}, {120, 40}, {200, 56}} {
			s.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			lines := strings.Split(text(s), "\n")
			if len(lines) != size[1] {
				t.Errorf("after %q: %d lines, want %d", keys, len(lines), size[1])
			}
			for _, l := range lines {
				if w := ansi.StringWidth(l); w != size[0] {
					t.Errorf("after %q: a line of %d cells, want %d", keys, w, size[0])
				}
			}
		}
	}
}

func TestTreemapKey(t *testing.T) {
	s := opened(t, fleet())
	press(s, "b")
	got := text(s)
	for _, want := range []string{"▸ 3 cars", "3 operations", "1 driv", "2 operati", "2 w", "1 oper"} {
		if !strings.Contains(got, want) {
			t.Errorf("no block with %q in\n%s", want, got)
		}
	}
	r := s.view.rects()[table]
	blocks := s.view.table.blocks(r)
	last := blocks[len(blocks)-1]
	if !s.view.table.click(r, last.X, last.Y+s.view.table.head(r)-1) || s.view.table.rows.At != last.rows[0] {
		t.Errorf("a click on the last block puts the cursor on row %d", s.view.table.rows.At)
	}
}

func TestEmptySpec(t *testing.T) {
	s := opened(t, nil)
	press(s, "enter", "d", "b", "m", "x", "g")
	s.Update(tea.WindowSizeMsg{Width: 60, Height: 20})
	if got := text(s); !strings.Contains(got, "This spec has no operations.") {
		t.Errorf("got\n%s", got)
	}
	if op, names := s.Location(); op != "" || names != nil || len(s.Targets()) != 0 {
		t.Errorf("the cursor is on %q of %q", op, names)
	}
}

func TestRegroupingKeepsTheNewest(t *testing.T) {
	var r regrouping
	spec := &model.Spec{Operations: things()}
	r.reset(match.DefaultMode)
	first := r.start(spec, otherMatch(r.mode))
	second := r.start(spec, otherDepth(r.mode))
	if msg := first(); msg != nil {
		t.Errorf("an analysis that was abandoned returned %v", msg)
	}
	msg := second().(regrouped)
	if want := (match.Mode{Values: match.ShallowReading, Match: match.MatchByName}); msg.analyzed.Matcher.Mode != want {
		t.Errorf("got mode %v, want both changes: %v", msg.analyzed.Matcher.Mode, want)
	}
	if !r.running() || !r.finish(msg) || r.running() || r.finish(msg) {
		t.Error("want the newest analysis to finish once")
	}
}

func TestRegroupingReport(t *testing.T) {
	before := grouped([]model.OpID{"a", "b"}, []model.OpID{"c"})
	after := grouped([]model.OpID{"a"}, []model.OpID{"b", "c"})
	after.Matcher = match.New(nil, match.DefaultMode)
	r := regrouping{changes: compare(before, after)}
	if got, want := r.report(before, after), "qualified, deep: 2 groups, 2 before, 1 merged, 2 split"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if r.sign(0) != "/ " || r.sign(1) != "* " || r.sign(2) != "" {
		t.Errorf("got signs %q, %q and %q", r.sign(0), r.sign(1), r.sign(2))
	}
}

// Results for a spec that is no longer shown are dropped, and nothing is requested twice.
func TestResults(t *testing.T) {
	old, now := analyze(t, fleet()), analyze(t, fleet())
	r := newResults(now, newSections(now))
	if r.addDrawing(drawn{analyzed: old, section: 0}) || !r.addDrawing(drawn{analyzed: now, section: 0}) {
		t.Error("want only the figures of the spec that is shown")
	}
	r.addTally(counted{analyzed: old, section: 0})
	if r.tallies[0] != nil {
		t.Error("a tally of another spec was stored")
	}
	if r.request(0, []int{0, 1}, false, 80) == nil {
		t.Error("nothing was requested")
	}
	if r.request(0, []int{1, 0}, false, 80) != nil {
		t.Error("the same was requested twice")
	}
}
