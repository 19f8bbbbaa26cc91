package explore

import (
	"slices"
	"strings"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/app/userdata"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// analyze returns the analysis of an OpenAPI document.
func analyze(t *testing.T, document []byte) *screen.AnalyzedSpec {
	t.Helper()
	spec, err := openapi.Parse(t.Context(), "test.yaml", document, openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	analyzed, err := screen.AnalyzeSpec(t.Context(), spec, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	return analyzed
}

// opened returns a screen of 120 × 40 cells with the demo's spec.
func opened(t *testing.T) *Screen {
	t.Helper()
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.Update(screen.Shown{Tab: screen.TabExplore})
	s.Update(screen.SpecOpened{Spec: analyze(t, demo.Specification())})
	return s
}

// press presses keys: single characters, or names such as "enter".
func press(s *Screen, names ...string) {
	types := map[string]tea.KeyType{
		"enter":     tea.KeyEnter,
		"esc":       tea.KeyEsc,
		"down":      tea.KeyDown,
		"up":        tea.KeyUp,
		"left":      tea.KeyLeft,
		"right":     tea.KeyRight,
		"backspace": tea.KeyBackspace,
	}
	for _, name := range names {
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
		if typ, ok := types[name]; ok {
			k = tea.KeyMsg{Type: typ}
		}
		s.Update(k)
	}
}

// text returns the screen without styles.
func text(s *Screen) string { return ansi.Strip(s.View(s.width, s.height)) }

func TestOpenAtThePlaceLeft(t *testing.T) {
	analyzed := analyze(t, demo.Specification())
	for _, tc := range []struct {
		name  string
		place *userdata.Place
		want  model.OpID
	}{
		{"no place", nil, analyzed.Spec.Operations[0].ID},
		{"an operation", &userdata.Place{Operation: "POST /orders"}, "POST /orders"},
		{"an operation that is gone", &userdata.Place{Operation: "GET /gone"}, analyzed.Spec.Operations[0].ID},
		{"a filter", &userdata.Place{Operation: "POST /orders", Filter: "orders"}, "POST /orders"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := New(screen.Engine{}, screen.Service{})
			s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
			s.Update(screen.SpecOpened{Spec: analyzed, Place: tc.place})
			if op, names := s.Location(); op != tc.want || !slices.Equal(names, []string{string(tc.want)}) {
				t.Errorf("got %q of %q, want %q", op, names, tc.want)
			}
			if n := s.tree.node(); n == nil || n.op == nil || n.op.ID != tc.want {
				t.Errorf("the tree's cursor is on %+v", n)
			}
			var saved userdata.Place
			s.SavePlace(&saved)
			if saved.Operation != string(tc.want) || tc.place != nil && saved.Filter != tc.place.Filter {
				t.Errorf("saved %+v", saved)
			}
		})
	}
}

// The page of a folder is not in the history. If the user goes from a folder to an operation, backspace does not
// return to the folder.
func TestGoFromFolder(t *testing.T) {
	s := opened(t)
	press(s, "home", "v", "l")
	if s.page.op == "" || len(s.history) > 0 {
		t.Errorf("shows %q, with %d stays before", s.page.op, len(s.history))
	}
	press(s, "backspace")
}

// Going to another operation clears a filter that hides the operation. Backspace returns to the previous operation.
func TestVisitAndBack(t *testing.T) {
	s := opened(t)
	first := s.page.op
	press(s, "/", "c", "a", "r", "t", "enter")
	filtered := s.page.op
	if filtered == first || !strings.Contains(string(filtered), "cart") {
		t.Fatalf("the filter shows %q", filtered)
	}
	s.Update(screen.ShowScreen{Tab: screen.TabExplore, Op: "GET /stores"})
	if s.page.op != "GET /stores" || s.tree.find.Text() != "" || !s.page.focused {
		t.Errorf("shows %q with filter %q, the page has the focus: %t", s.page.op, s.tree.find.Text(), s.page.focused)
	}
	press(s, "backspace")
	if s.page.op != filtered {
		t.Errorf("backspace shows %q, want %q", s.page.op, filtered)
	}
	s.Update(screen.ShowScreen{Tab: screen.TabExplore, Op: "GET /gone"})
	if s.page.op != filtered {
		t.Errorf("an operation that does not exist was shown: %q", s.page.op)
	}
}

// The screen announces an operation to the other screens only once. The message says whether the user opened the
// operation or only moved the cursor to it.
func TestAnnounce(t *testing.T) {
	s := opened(t)
	s.announcement.last, s.announcement.deliberate = "", true
	if s.announcement.send(s.page.op) == nil || s.announcement.send(s.page.op) != nil {
		t.Error("want one message for an operation")
	}
	if s.announcement.deliberate {
		t.Error("the next operation counts as opened by the user, too")
	}
	s.Update(screen.OperationSelected{Op: "POST /orders"})
	if s.announcement.last != "POST /orders" || s.announcement.send(s.page.op) != nil {
		t.Error("an operation that another screen selected is sent back")
	}
}

func TestTreeKeys(t *testing.T) {
	s := opened(t)
	press(s, "left")
	n := s.tree.node()
	if n.op != nil || s.page.op != "" {
		t.Fatalf("left leads to %+v and shows %q, want the folder", n, s.page.op)
	}
	if _, names := s.Location(); len(names) != 1 || names[0] != s.tree.ops.folders[0].name {
		t.Errorf("the location of the folder is %q", names)
	}
	rows := len(s.tree.ops.nodes)
	press(s, "left")
	if len(s.tree.ops.nodes) >= rows || s.tree.foldable() {
		t.Error("a second left does not fold the folder")
	}
	press(s, "right", "right")
	if len(s.tree.ops.nodes) != rows || s.page.op == "" {
		t.Errorf("right twice: %d rows, want %d, and %q is shown", len(s.tree.ops.nodes), rows, s.page.op)
	}
	press(s, " ", "enter")
	if s.tree.node().op != nil || len(s.tree.ops.nodes) >= rows {
		t.Error("space and enter do not fold the folder of the operation")
	}
	press(s, ":", ":")
	if got := len(s.tree.ops.nodes); got != len(s.tree.ops.folders) {
		t.Errorf("all folded: %d rows, want one for each folder", got)
	}
}

// While a filter is set, folders cannot be folded. Esc clears the filter.
func TestTreeFilterKeys(t *testing.T) {
	s := opened(t)
	press(s, "/", "o", "r", "d", "e", "r", "enter")
	if got := s.tree.count(); !strings.Contains(got, " of 28") {
		t.Errorf("the count is %q", got)
	}
	rows := len(s.tree.ops.nodes)
	press(s, "left", " ", ":")
	if len(s.tree.ops.nodes) != rows {
		t.Errorf("%d rows after keys that fold, want %d", len(s.tree.ops.nodes), rows)
	}
	press(s, "esc")
	if s.tree.find.Text() != "" || s.tree.ops.filtered() {
		t.Errorf("esc leaves the filter %q", s.tree.find.Text())
	}
	press(s, "/", "z", "z", "z", "enter", "enter", "left", "down")
	if got := text(s); !strings.Contains(got, "nothing fits; esc clears") {
		t.Errorf("a filter that nothing fits:\n%s", got)
	}
}

// If no operation matches the filter, the page shows no operation, and the keys of the page have no effect.
func TestNoPageWithoutHit(t *testing.T) {
	for _, leave := range [][]string{{"esc"}, {"enter", "esc"}, {"enter", "v", "v", "esc"}} {
		s := opened(t)
		press(s, "/", "z", "z", "z")
		got := text(s)
		if op, _ := s.Location(); op != "" || strings.Count(got, "nothing fits; esc clears") != 2 || strings.Contains(got, "Takes") {
			t.Errorf("the page of %q is shown:\n%s", op, got)
		}
		press(s, "enter")
		for _, k := range s.Keys() {
			if does := k.Help().Desc; does == "send a request" || does == "in graph" {
				t.Errorf("there is the key %q", does)
			}
		}
		press(s, "/")
		press(s, leave...)
		if got := text(s); strings.Contains(got, "nothing fits") {
			t.Errorf("after %q:\n%s", leave, got)
		}
	}
}

// The page's cursor moves from stop to stop. Enter on a stop goes to a neighbour or unfolds a row.
func TestPageKeys(t *testing.T) {
	s := opened(t)
	s.Update(screen.ShowScreen{Tab: screen.TabExplore, Op: "POST /carts/{cartId}/items"})
	press(s, "v", "v")
	if r := s.page.current(); r == nil || !r.stop() {
		t.Fatalf("the page opens with the cursor on %+v, want a stop", r)
	}
	to := s.page.current().to
	press(s, "enter")
	if to == "" || s.page.op != to {
		t.Errorf("enter shows %q, want the neighbour %q", s.page.op, to)
	}
	press(s, "backspace", "v", "v")
	for range s.page.rows {
		if r := s.page.current(); r.fold != "" && r.to == "" {
			break
		}
		press(s, "down")
	}
	rows, fold := len(s.page.rows), s.page.current().fold
	press(s, "enter")
	if fold == "" || len(s.page.rows) == rows {
		t.Errorf("enter does not unfold %q", fold)
	}
	s.page.stops.Go(slices.IndexFunc(s.page.rows, func(r row) bool { return r.fold == fold }))
	press(s, "enter")
	if len(s.page.rows) != rows {
		t.Errorf("enter twice: %d rows, want %d", len(s.page.rows), rows)
	}
}

// Moving up to the first stop makes the head of the page visible.
func TestPageScroll(t *testing.T) {
	var p pagePane
	for i := range 30 {
		r := row{}
		if i%5 == 4 {
			r.fold = "fold"
		}
		p.rows = append(p.rows, r)
	}
	p.stops.Fit(len(p.rows), 8)
	p.enter()
	if p.stops.At != 4 {
		t.Errorf("the first stop is row %d, want 4", p.stops.At)
	}
	for range 3 {
		p.step(1)
	}
	if p.stops.At != 19 || p.stops.Top > 18 || p.stops.Top+8 < 21 {
		t.Errorf("the cursor is on row %d of those from %d, want it on 19 with a line around it", p.stops.At, p.stops.Top)
	}
	for range 3 {
		p.step(-1)
	}
	if p.stops.At != 4 || p.stops.Top != 0 {
		t.Errorf("back on row %d of those from %d, want 4 and the head of the page", p.stops.At, p.stops.Top)
	}
	p.rows = make([]row, 30)
	if p.step(1); p.stops.At != 5 {
		t.Errorf("without stops a step leads to row %d, want 5", p.stops.At)
	}
}

func TestMouse(t *testing.T) {
	s := opened(t)
	tree, page := s.divide(s.width, s.height)
	click := func(x, y int) {
		s.Update(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	}
	click(tree.X+3, tree.Y+1)
	if !s.Typing() {
		t.Error("a click on the filter does not focus it")
	}
	click(tree.X+3, tree.Y+4)
	if s.Typing() || s.tree.rows.At != 2 || s.page.focused {
		t.Errorf("a click on the third row puts the cursor on row %d", s.tree.rows.At)
	}
	click(tree.X+3, tree.Y+4)
	if !s.page.focused {
		t.Error("a second click does not move the focus to the page")
	}
	click(tree.X+3, tree.Y+2)
	if s.tree.ops.unfolded(0) || s.page.op != "" {
		t.Errorf("a click on the first folder does not fold it, %q is shown", s.page.op)
	}
	at := s.tree.rows.At
	s.Update(tea.MouseMsg{X: tree.X + 1, Y: tree.Y + 5, Button: tea.MouseButtonWheelDown})
	if s.tree.rows.At == at {
		t.Error("the wheel does not move the tree's cursor")
	}
	s.Update(screen.ShowScreen{Tab: screen.TabExplore, Op: "POST /orders"})
	s.Update(tea.MouseMsg{X: page.X + 1, Y: page.Y + 5, Button: tea.MouseButtonWheelDown})
	if s.page.stops.At == 0 {
		t.Error("the wheel does not move the page's cursor")
	}
}

// Each target moves the cursor to a different row.
func TestTargets(t *testing.T) {
	s := opened(t)
	s.Update(screen.OperationSelected{Op: "POST /orders"})
	seen := map[int]bool{}
	for _, at := range s.page.targets(mustPage(s)) {
		s.Update(at)
		seen[s.page.stops.At] = true
		if !s.page.focused || !s.page.current().stop() {
			t.Errorf("%v leads to row %d, which is no stop", at, s.page.stops.At)
		}
	}
	if len(seen) < 5 {
		t.Errorf("%d targets on the page, want several", len(seen))
	}
	all := s.Targets()
	s.Update(all[1])
	if s.page.focused || s.tree.rows.At != s.tree.rows.Top+1 {
		t.Errorf("the second target leads to row %d of the tree", s.tree.rows.At)
	}
}

// mustPage returns the rectangle of the page, which must be visible.
func mustPage(s *Screen) draw.Rect {
	_, r := s.divide(s.width, s.height)
	return r
}

// In every state, the screen has the requested size.
func TestViewSize(t *testing.T) {
	s := opened(t)
	for _, keys := range []string{"", "v", "left", "left", ":", "/"} {
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

func TestObserve(t *testing.T) {
	const op = "GET /a"
	run := model.Snapshot{
		Grid:   map[model.OpID]map[int]int{op: {404: 2}, "GET /b": {200: 1}},
		Newest: map[model.OpStatus]string{{Op: op, Status: 404}: "none"},
		Faults: []model.Fault{{ID: "f1", Op: op}, {ID: "f2", Op: "GET /b"}},
	}
	run.Summary.Warnings = []model.Warning{{Op: op, Kind: model.WarnNever2xx, Text: op + " never answered 2xx"}}
	got := observe(run, op)
	if got.counts[404] != 2 || got.newest[404] != "none" || got.unmet != "never answered 2xx" ||
		len(got.faults) != 1 || got.faults[0].ID != "f1" {
		t.Errorf("got %+v", got)
	}
	if !got.equal(observe(run, op)) || got.equal(observe(run, "GET /b")) {
		t.Error("want an observation to equal itself and not that of another operation")
	}
	run.Newest = nil
	if !got.equal(observe(run, op)) {
		t.Error("the text of the newest answer makes a difference")
	}
}
