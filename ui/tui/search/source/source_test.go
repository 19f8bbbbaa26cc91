package source

import (
	"fmt"
	"strings"
	"testing"

	"sonde/model"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// huge returns a page with an open file of n functions. Each function has nine lines, the first of them blank. All
// targets are covered.
func huge(n int) Model {
	file, now := model.SourceFile{Package: "shop", Name: "shop/huge.go"}, &model.FileCoverage{}
	var text strings.Builder
	text.WriteString("package shop\n")
	for i := range n {
		fmt.Fprintf(&text, "\nfunc f%d(q int) {\n\tif q > 5 {\n\t\tpay(q)\n\t}\n\ta()\n\tb()\n\tc()\n}\n", i)
		line := 9*i + 3
		file.Targets = append(
			file.Targets, block(line, len(fmt.Sprintf("func f%d(q int) {", i)), line+1, 11),
			at(model.SourceBranch, "true", "q > 5", line+1, 7), at(model.SourceBranch, "false", "q > 5", line+1, 7),
			block(line+1, 11, line+3, 3), block(line+4, 2, line+6, 5),
		)
		now.Near = append(now.Near, 1, 1, 1, 1, 1)
		now.Tests = append(now.Tests, "t1", "t1", "t1", "t1", "t1")
	}
	var m Model
	m.Take(
		&model.SourceCoverage{Source: &model.Source{Files: []model.SourceFile{file}}, Reached: []*model.FileCoverage{now}},
		func(model.SourceFile) (string, error) { return text.String(), nil }, "",
	)
	m.Fit(100, 40)
	m.play(m.open(0))
	m.reading = true
	m.play(m.Fit(100, 40))
	return m
}

// play runs a Cmd and handles its message.
func (m *Model) play(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			m.play(c)
		}
	default:
		m.Update(msg)
	}
}

func press(k tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: k} }

// Only the visible part of a file is highlighted.
func TestHugeFile(t *testing.T) {
	m := huge(20_000)
	if got, want := len(m.text.code.Lines), 180_001; got != want {
		t.Fatalf("%d lines, want %d", got, want)
	}
	m.Move(press(tea.KeyEnd))
	m.play(m.Fit(100, 40))
	if n := len(m.text.lit); n > 4 {
		t.Errorf("%d blocks were coloured for two screens", n)
	}
	if view := ansi.Strip(m.View(100, 40)); !strings.Contains(view, "▸180001") || !strings.Contains(view, "179999 ✓     b()") {
		t.Errorf("the end:\n%s", view)
	}
}

// Very long lines are cut, and very long blocks are not highlighted.
func TestLongLines(t *testing.T) {
	var m Model
	text := strings.Repeat("日本", 400_000) + "\n" + strings.Repeat("x := 1\n", 3*maxHighlighted)
	m.Take(
		&model.SourceCoverage{Source: &model.Source{Files: make([]model.SourceFile, 1)}, Reached: []*model.FileCoverage{{}}},
		func(model.SourceFile) (string, error) { return text, nil }, "",
	)
	m.Fit(100, 40)
	m.play(m.open(0))
	m.reading = true
	m.play(m.Fit(100, 40))
	if n := len(m.text.code.Lines[0]); n > maxLine+3 || len(m.text.lit) != 0 {
		t.Errorf("a line of %d bytes, %d blocks coloured", n, len(m.text.lit))
	}
	for range 60 {
		m.ScrollText(+1)
	}
	for _, row := range strings.Split(m.View(100, 40), "\n") {
		if w := ansi.StringWidth(row); w != 100 {
			t.Fatalf("%q is %d cells wide", row, w)
		}
	}
}

// BenchmarkView draws the page of a huge file.
func BenchmarkView(b *testing.B) {
	m := huge(20_000)
	for b.Loop() {
		m.View(160, 50)
	}
}

// BenchmarkNext looks for an uncovered line in a huge file that has none.
func BenchmarkNext(b *testing.B) {
	m := huge(20_000)
	for b.Loop() {
		m.GoToUncovered(+1)
	}
}

// BenchmarkLoad measures reading a file, which happens in the background.
func BenchmarkLoad(b *testing.B) {
	m := huge(20_000)
	for b.Loop() {
		m.open(0)()
	}
}
