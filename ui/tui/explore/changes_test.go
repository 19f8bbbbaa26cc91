package explore

import (
	"errors"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Two versions of a spec: /a is unchanged, /b was removed, /c was changed, /d was broken, and /e is new.
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

	press(s, "down")
	contains(t, text(s), "Changed  ~ changed since version 1", "operation: endpoint deprecated")
	press(s, "down")
	contains(t, text(s), "Changed  ! changed since version 1", "! parameter: added the new required `query` request parameter `n`")
	press(s, "down")
	contains(t, text(s), "Changed  + added since version 1")
	press(s, "left")
	contains(t, text(s), "Removed since version 1", "- GET /b", "- GET /z")

	// The result for a spec that is no longer open is dropped.
	s.Update(screen.SpecOpened{Spec: analyze(t, []byte(newerVersion))})
	s.Update(msg)
	if strings.Contains(text(s), "~ GET") {
		t.Errorf("an older result is shown:\n%s", text(s))
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
		"changed:any": "GET /c, GET /d, GET /e", "changed:added": "GET /e", "changed:breaking": "GET /d", "!changed:any": "GET /a",
		"changed:changed !changed:breaking": "GET /c", "changed:added,breaking": "GET /d, GET /e",
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

// Without an older version nothing is compared. An error is reported once.
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
