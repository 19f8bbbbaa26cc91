package explore

import (
	"errors"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/analysis/specdiff"
	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Two versions of a spec. /a is unchanged, /b was removed, /c has a change, /d has a breaking change, and /e is new.
const (
	olderVersion = `openapi: 3.0.3
info: {title: letters, version: "1"}
paths:
  /a: {get: {tags: [x], responses: {"200": {description: ok}}}}
  /b: {get: {tags: [x], responses: {"200": {description: ok}}}}
  /c: {get: {tags: [x], responses: {"200": {description: ok}}}}
  /d: {get: {tags: [x], responses: {"200": {description: ok}}}}
  /z: {get: {tags: [gone], responses: {"200": {description: ok}}}}
`
	newerVersion = `openapi: 3.0.3
info: {title: letters, version: "2"}
paths:
  /a: {get: {tags: [x], responses: {"200": {description: ok}}}}
  /c: {get: {tags: [x], deprecated: true, responses: {"200": {description: ok}}}}
  /d: {get: {tags: [x], parameters: [{name: n, in: query, required: true, schema: {type: string}}], responses: {"200": {description: ok}}}}
  /e: {get: {tags: [x], responses: {"200": {description: ok}}}}
`
)

// runCompared runs commands until one of them compares versions, and returns its message.
func runCompared(cmd tea.Cmd) (compared, bool) {
	if cmd == nil {
		return compared{}, false
	}
	switch msg := cmd().(type) {
	case compared:
		return msg, true
	case tea.BatchMsg:
		for _, c := range msg {
			if found, ok := runCompared(c); ok {
				return found, true
			}
		}
	}
	return compared{}, false
}

// openAgainst opens the newer version. load loads the older one.
func openAgainst(t *testing.T, load func() (*model.Spec, error)) (s *Screen, queue *screen.MessageQueue, cmd tea.Cmd) {
	t.Helper()
	queue = &screen.MessageQueue{}
	s = New(screen.Engine{Queue: queue, Specs: usecase.SpecFiles{LoadOlder: load}}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	s.Update(screen.Shown{Tab: screen.TabExplore})
	_, cmd = s.Update(screen.SpecOpened{Spec: analyze(t, []byte(newerVersion))})
	return s, queue, cmd
}

func contains(t *testing.T, screen string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(screen, w) {
			t.Errorf("%q is missing:\n%s", w, screen)
		}
	}
}

// After the comparison, signs mark what changed, even without colours.
func TestChangesSinceAnOlderVersion(t *testing.T) {
	older := analyze(t, []byte(olderVersion)).Spec
	s, _, cmd := openAgainst(t, func() (*model.Spec, error) { return older, nil })
	if n := len(s.LegendEntries()) - len((&Screen{}).LegendEntries()); n != 1 {
		t.Errorf("got %d more signs in the legend, want 1", n)
	}
	if strings.Contains(text(s), "Changed") {
		t.Errorf("a comparison before its end:\n%s", text(s))
	}
	msg, ok := runCompared(cmd)
	if !ok {
		t.Fatal("no command compares the versions")
	}
	s.Update(msg)
	contains(t, text(s), "▸  GET    /a", " ~ GET    /c", " ! GET    /d", " + GET    /e")

	press(s, "down", "down")
	contains(t, text(s), "Changed  ~ changed since version 1", "operation: endpoint deprecated")
	press(s, "down")
	contains(t, text(s), "Changed  ! changed since version 1", "! parameter: added the new required `query` request parameter `n`")
	press(s, "down")
	contains(t, text(s), "Changed  + added since version 1")
	press(s, "left")
	contains(t, text(s), "4 operations, 1 removed since version 1", "- GET /b", "4 of 4, 2 removed")

	// The result for a spec that is no longer open is dropped.
	s.Update(screen.SpecOpened{Spec: analyze(t, []byte(newerVersion))})
	s.Update(msg)
	if strings.Contains(text(s), "~ GET") {
		t.Errorf("an older result is shown:\n%s", text(s))
	}
}

// Removed operations are listed at their old places. A folder that has only removed operations is listed, too.
// Removed operations have a page, but cannot be called or shown on other screens.
func TestRemovedOperations(t *testing.T) {
	older := analyze(t, []byte(olderVersion)).Spec
	s, queue, cmd := openAgainst(t, func() (*model.Spec, error) { return older, nil })
	press(s, "left") // moves the cursor to the folder
	msg, _ := runCompared(cmd)
	s.Update(msg)
	if n := s.tree.node(); n == nil || n.op != nil || n.folder != 0 {
		t.Errorf("the cursor is on %+v", n)
	}
	s.tree.ops.foldAll()
	var got []string
	for _, n := range s.tree.ops.nodes {
		if n.op == nil {
			got = append(got, s.tree.ops.folders[n.folder].name)
		} else {
			got = append(got, string(n.op.ID))
		}
	}
	if want := "x, GET /a, GET /b, GET /c, GET /d, GET /e, gone, GET /z"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
	press(s, "down", "down")
	contains(t, text(s), "▸- GET    /b", "╭─ GET /b ─", "Removed  since version 1, which describes it so:", "200")
	if op, names := s.Location(); op != "" || names[0] != "x" {
		t.Errorf("the location is %q, %q", op, names)
	}
	for _, ok := queue.Next(); ok; _, ok = queue.Next() {
	}
	press(s, "r", "p", "I", "S")
	if msg, sent := queue.Next(); s.send.Open() || sent || s.page.question.view != viewOperation {
		t.Errorf("a key does something with a removed operation: %T", msg)
	}
	press(s, "enter", "esc", "up")
	contains(t, text(s), "╭─ GET /a ─")
	press(s, "up", "left")
	contains(t, text(s), "▸▸ x", "4 -1")

	// A second comparison has the same result. If a spec is opened and not compared, it has no removed operations.
	s.Update(msg)
	if n := len(s.tree.ops.folders); n != 2 {
		t.Errorf("%d folders after a second comparison", n)
	}
	s.Update(screen.SpecOpened{Spec: analyze(t, []byte(newerVersion))})
	if strings.Contains(text(s), "/b") {
		t.Errorf("a removed operation without a comparison:\n%s", text(s))
	}
}

// Key B filters the operations with breaking changes. It works only if the spec was compared with an older version.
func TestBreakingChangesByKey(t *testing.T) {
	older := analyze(t, []byte(olderVersion)).Spec
	s, _, cmd := openAgainst(t, func() (*model.Spec, error) { return older, nil })
	if press(s, "B"); s.tree.find.Text() != "" {
		t.Errorf("before the comparison the filter is %q", s.tree.find.Text())
	}
	msg, _ := runCompared(cmd)
	s.Update(msg)
	if press(s, "B"); s.tree.find.Text() != "changed:breaking" || s.tree.find.Typing() {
		t.Errorf("the filter is %q", s.tree.find.Text())
	}
	contains(t, text(s), "GET    /d", "GET    /b")
}

// If both versions have the same version number, the name of the older one is its file.
func TestNameOfOlderVersion(t *testing.T) {
	newer := analyze(t, []byte(newerVersion))
	for version, want := range map[string]string{"1": "version 1", "2": "old/letters.json", "": "version "} {
		older := *analyze(t, []byte(olderVersion)).Spec
		older.Version, older.Source = version, "old/letters.json"
		var c changes
		tree := treePane{analyzed: newer, ops: newTree(newer.Spec), find: finder.New("")}
		diff := specdiff.Compare(analysis.Analyze(&older, analysis.Options{}), newer.Analysis)
		c.result(compared{newer: newer, older: &older, diff: diff}, &tree)
		if got := c.since(); got != want {
			t.Errorf("version %q is called %q, want %q", version, got, want)
		}
	}
}

// A filter lists changed operations, even if it was typed before the comparison.
func TestFilterOfChanges(t *testing.T) {
	older := analyze(t, []byte(olderVersion)).Spec
	s, _, cmd := openAgainst(t, func() (*model.Spec, error) { return older, nil })
	s.tree.find.SetText("changed:any")
	s.tree.sift()
	contains(t, text(s), "nothing fits")
	msg, _ := runCompared(cmd)
	s.Update(msg)
	for filter, want := range map[string]string{
		"changed:any": "GET /b, GET /c, GET /d, GET /e, GET /z", "changed:added": "GET /e", "changed:removed": "GET /b, GET /z",
		"changed:breaking": "GET /b, GET /d, GET /z", "!changed:any": "GET /a", "changed:removed tag:gone": "GET /z", "get /b": "GET /b",
		"changed:changed !changed:breaking": "GET /c", "changed:added,changed": "GET /c, GET /d, GET /e", "method:post": "",
	} {
		s.tree.find.SetText(filter)
		s.tree.sift()
		var got []string
		for _, n := range s.tree.ops.nodes {
			if n.op != nil {
				got = append(got, string(n.op.ID))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %q, want %s", filter, got, want)
		}
	}
	without, _, _ := openAgainst(t, nil)
	without.tree.find.SetText("changed:any")
	if without.tree.find.Problem() == "" {
		t.Error("without an older version, nothing says that there are no changes")
	}
}

// Without an older version nothing is compared. If the older version cannot be read, the error is reported once.
func TestNoOlderVersion(t *testing.T) {
	s, _, cmd := openAgainst(t, nil)
	if _, ok := runCompared(cmd); ok || strings.Contains(text(s), "Changed") {
		t.Errorf("a comparison without an older version:\n%s", text(s))
	}
	s, _, cmd = openAgainst(t, func() (*model.Spec, error) { return nil, errors.New(`"old.yaml" cannot be read`) })
	msg, ok := runCompared(cmd)
	if !ok || msg.err == nil {
		t.Fatalf("got %+v, want the error", msg)
	}
	s.Update(msg)
	if strings.Contains(text(s), "Changed") {
		t.Errorf("a comparison that failed is shown:\n%s", text(s))
	}
}
