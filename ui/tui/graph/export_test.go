package graph

import (
	"reflect"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// An exported picture has the boxes and arrows on the screen, with the answers of the search.
func TestExport(t *testing.T) {
	s := shown(t, chained(t))
	s.Update(screen.RunProgress{Snapshot: model.Snapshot{Grid: map[model.OpID]map[int]int{"GET /a": {404: 1, 200: 3}}}})
	want := usecase.GraphPicture{
		Title:  ": operations within 1 hop of GET /a",
		Boxes:  [][]usecase.BoxLine{{{Method: "GET", Text: "/a"}, {Text: "✓ 200 ×3, 404 ×1"}}, {{Method: "GET", Text: "/b"}}},
		Arrows: []usecase.BoxArrow{{From: 0, To: 1, Values: []string{"a.xKey"}}},
	}
	if got := s.export(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	s.key("w")
	s.key("z")
	s.key("F")
	got := s.export()
	folded := []usecase.BoxLine{
		{Text: "group 1: 4 operations"},
		{Method: "GET", Text: "/a"},
		{Method: "GET", Text: "/b"},
		{Method: "GET", Text: "/c"},
		{Method: "GET", Text: "/d"},
		{Text: "✓ 200 ×3, 404 ×1"},
	}
	if got.Title != ": all operations" || len(got.Boxes) != 1 || !reflect.DeepEqual(got.Boxes[0], folded) {
		t.Errorf("folded: got %+v", got)
	}
}

// Key x asks for a file name, and enter then writes the picture.
func TestExportKey(t *testing.T) {
	var path string
	s := shown(t, chained(t))
	s.save = newLine(&path)
	s.key("x")
	if !s.Typing() {
		t.Fatal("x asks for no file")
	}
	s.Update(tea.KeyMsg{Type: tea.KeyTab})
	s.key("enter")
	if path != "graph.dot" {
		t.Errorf("wrote %q", path)
	}
}

// newLine returns a file name line that writes no file and stores the path in path.
func newLine(path *string) *save.FileNameLine {
	return save.New(func(to string, _ usecase.GraphPicture, _ bool) error {
		*path = to
		return nil
	})
}
