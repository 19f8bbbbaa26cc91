package source

import (
	"errors"
	"strings"
	"testing"

	"sonde/model"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

// shopCoverage returns the coverage of three files in two packages. The second package has the most
// uncovered statements, most of them in its second file.
func shopCoverage() *model.SourceCoverage {
	covered := func(n, all int) *model.FileCoverage {
		return &model.FileCoverage{Statements: model.CoverageCount{Covered: n, All: all}}
	}
	return &model.SourceCoverage{
		Source: &model.Source{Files: []model.SourceFile{
			{Package: "shop/api", Name: "shop/api/api.go"},
			{Package: "shop/pay", Name: "shop/pay/bank.go"},
			{Package: "shop/pay", Name: "shop/pay/card.go"},
		}},
		Reached: []*model.FileCoverage{covered(9, 10), covered(5, 8), covered(0, 20)},
	}
}

func names(t *tree) (all []string) {
	for _, r := range t.rows {
		all = append(all, r.name)
	}
	return all
}

func TestTreeOrder(t *testing.T) {
	tests := []struct {
		name        string
		byUncovered bool
		want        []string
	}{
		{"by name", false, []string{"shop/api", "api.go", "shop/pay", "bank.go", "card.go"}},
		{"by uncovered statements", true, []string{"shop/pay", "card.go", "bank.go", "shop/api", "api.go"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := tree{byUncovered: tt.byUncovered}
			tr.arrange(shopCoverage())
			if diff := cmp.Diff(tt.want, names(&tr)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The cursor stays on its file when the order changes.
func TestTreeCursor(t *testing.T) {
	reach := shopCoverage()
	var tr tree
	tr.arrange(reach)
	tr.list.Fit(len(tr.rows), 10)
	tr.first()
	if got := tr.file(); got != 0 {
		t.Fatalf("the first file is %d, want 0", got)
	}
	tr.list.Go(4) // card.go
	tr.byUncovered = true
	tr.arrange(reach)
	if got := tr.file(); got != 2 || tr.list.At != 1 {
		t.Errorf("the cursor is on row %d, file %d, want row 1, file 2", tr.list.At, got)
	}
	tr.list.Go(0)
	if got := tr.file(); got != none {
		t.Errorf("a package has file %d", got)
	}
	tr.arrange(nil)
	if len(tr.rows) != 0 || tr.file() != none {
		t.Error("there are files without coverage")
	}
}

func TestTreeFold(t *testing.T) {
	reach := shopCoverage()
	var tr tree
	tr.arrange(reach)
	tr.list.Fit(len(tr.rows), 10)
	tr.list.Go(2)
	tr.fold(reach)
	if diff := cmp.Diff([]string{"shop/api", "api.go", "shop/pay"}, names(&tr)); diff != "" {
		t.Error(diff)
	}
	before := tr.folded
	tr.fold(reach)
	if len(tr.rows) != 5 || !before["shop/pay"] {
		t.Errorf("unfolded, there are %d rows, and the old state is %v", len(tr.rows), before)
	}
}

func TestFigures(t *testing.T) {
	statements, branches := figures(shopCoverage(), []int{0, 2})
	if statements != (model.CoverageCount{Covered: 9, All: 30}) || branches != (model.CoverageCount{}) {
		t.Errorf("got %+v and %+v", statements, branches)
	}
}

// The page has its exact size, whether the source is known or not.
func TestPageHasItsSize(t *testing.T) {
	read := func(model.SourceFile) (string, error) { return "package shop\n\nfunc pay() {}\n", nil }
	for _, size := range [][2]int{{40, 10}, {60, 21}, {80, 21}, {120, 33}, {200, 57}} {
		for name, reach := range map[string]*model.SourceCoverage{"nothing": nil, "three files": shopCoverage()} {
			var m Model
			m.Take(reach, read, "the service is not built by Sonde")
			m.play(m.Fit(size[0], size[1]))
			m.Move(press(tea.KeyDown))
			lines := strings.Split(m.View(size[0], size[1]), "\n")
			if len(lines) != size[1] {
				t.Errorf("%s: %d lines, want %d", name, len(lines), size[1])
			}
			for _, l := range lines {
				if got := ansi.StringWidth(l); got != size[0] {
					t.Errorf("%s: a line of %d cells, want %d: %q", name, got, size[0], l)
				}
			}
		}
	}
}

// The text of a file is read when the file is opened. If the file cannot be read, the page shows the error.
func TestOpenAFile(t *testing.T) {
	tests := []struct {
		name string
		text string
		err  error
		want string
	}{
		{"a text", "package shop\n\nfunc pay() {}\n", nil, "func pay()"},
		{"an error", "", errors.New("the file is gone"), "the file is gone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var m Model
			m.Take(shopCoverage(), func(model.SourceFile) (string, error) { return tt.text, tt.err }, "")
			m.Fit(120, 33)
			m.play(m.open(0))
			m.reading = true
			m.play(m.Fit(120, 33))
			if view := ansi.Strip(m.View(120, 33)); !strings.Contains(view, tt.want) {
				t.Errorf("no %q in\n%s", tt.want, view)
			}
		})
	}
}
