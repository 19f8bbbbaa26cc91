package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

func TestStatusLine(t *testing.T) {
	s := statusLine{duration: time.Nanosecond}
	if !s.empty() {
		t.Error("a new line has a message")
	}
	expireFirst := s.show(screen.StatusMessage{Text: "written"})()
	s.show(screen.StatusMessage{Err: errors.New("disk full")})
	s.expire(expireFirst.(statusExpired))
	if lines := s.lines(40); len(lines) != 1 || !strings.Contains(lines[0], "✗ disk full") {
		t.Errorf("a later message was ended: %q", lines)
	}
	s.expire(statusExpired{no: s.no})
	if !s.empty() || s.lines(40) != nil {
		t.Error("the message did not end")
	}
}

// A message takes as many lines as it needs, at most three. It never hides the key line.
func TestStatusLines(t *testing.T) {
	for text, want := range map[string]int{"written": 1, strings.Repeat("word ", 12): 2, strings.Repeat("word ", 1_000_000): 3} {
		s := statusLine{message: screen.StatusMessage{Text: text}}
		lines := s.lines(40)
		if len(lines) != want {
			t.Errorf("%.20q has %d lines, want %d", text, len(lines), want)
		}
		for _, l := range lines {
			if n := ansi.StringWidth(l); n > 40 || want > 1 && n != 40 {
				t.Errorf("%q has %d cells", l, ansi.StringWidth(l))
			}
		}
		if cut := strings.Contains(strings.Join(lines, ""), "…"); cut != (want == 3) {
			t.Errorf("%.20q: cut %t", text, cut)
		}
	}
	for _, size := range [][2]int{{40, 12}, {60, 24}, {80, 24}, {200, 50}} {
		d := open(shop(), nil).size(size[0], size[1])
		foot := lastLine(d)
		d.send(screen.StatusMessage{Text: strings.Repeat("said ", 300)}).sees(t, "› said")
		if got := lastLine(d); got != foot {
			t.Errorf("%v: the foot is %q, want %q", size, got, foot)
		}
	}
}

// A message leaves no part of a text that it covers, and no more than that of the border is hidden.
func TestTextEnd(t *testing.T) {
	row := "╰── 2 of 3 ──╯╰─ 長い名 ─╯"
	for column, want := range map[int]int{0: 0, 2: 2, 3: 11, 5: 11, 11: 11, 17: 24, 19: 24, 26: 26, 30: 30} {
		if got := textEnd(row, column); got != want {
			t.Errorf("at %d: got %d, want %d", column, got, want)
		}
	}
	if got := textEnd("a text without a border", 4); got != 23 {
		t.Errorf("got %d, want 23", got)
	}
}

func lastLine(d *driver) string {
	rows := strings.Split(d.app.View(), "\n")
	return rows[len(rows)-1]
}

// The key line has at most 8 keys at every width, and ? is one of them.
func TestFewKeys(t *testing.T) {
	for width := 40; width <= 240; width += 20 {
		for tab := range tabs {
			d := open(shop(), nil).size(width, 24).press(fmt.Sprint(tab + 1))
			keys, kept := d.app.keys()
			line, spans := keyLine(width, keys, kept)
			drawn := 0
			for _, s := range spans {
				if s.to > s.from {
					drawn++
				}
			}
			if drawn > maxFootKeys || drawn < 2 || !strings.Contains(line, "? keys") {
				t.Errorf("%d columns, %s: %d keys in %q", width, tabs[tab], drawn, line)
			}
		}
	}
}

func TestPlaceSaver(t *testing.T) {
	var stored []userdata.Place
	failure := error(nil)
	p := placeSaver{interval: time.Nanosecond, store: func(title string, place userdata.Place) error {
		if title != "Shop" {
			t.Errorf("the title is %q", title)
		}
		stored = append(stored, place)
		return failure
	}}
	place := userdata.Place{Tab: 2, Filter: "order"}
	if got := p.save("Shop", place)(); got != (placeSaved{}) || len(stored) != 1 {
		t.Errorf("got %v after %d stores", got, len(stored))
	}
	p.save("Shop", place)()
	if len(stored) != 1 {
		t.Error("an unchanged place was stored again")
	}
	failure = errors.New("disk full")
	if got := p.save("Shop", userdata.Place{Tab: 3})().(placeSaved); !errors.Is(got.err, failure) {
		t.Errorf("got %v, want the error of the store", got.err)
	}
	if (&placeSaver{}).schedule() != nil {
		t.Error("a saver without a store does something")
	}
}

func TestTourSteps(t *testing.T) {
	now := tourScene{
		tab:     screen.TabExplore,
		op:      "GET /a",
		keyName: func(_ screen.Tab, _, usual string) string { return usual },
	}
	next := tea.KeyMsg{Type: tea.KeyCtrlN}
	end := tea.KeyMsg{Type: tea.KeyCtrlX}
	var tr tour
	if tr.shown() || tr.press(next, now) != tourNone {
		t.Error("a hidden tour takes keys")
	}
	tr.offer()
	if !tr.shown() || tr.follow(now) {
		t.Error("an offered tour is not shown, or has a step")
	}
	if tr.press(next, now) != tourBegun || tr.at != 0 {
		t.Error("ctrl+n does not begin the tour")
	}
	typing := now
	typing.op, typing.typing = "GET /b", true
	if tr.follow(typing) {
		t.Error("a step ended while the user was typing")
	}
	typing.typing = false
	if !tr.follow(typing) || tr.at != 1 {
		t.Error("the first step did not end with another operation")
	}
	if frame, text := tr.box(60, 24, now); frame.Title != "Tour 2/10" || !strings.Contains(text, "/ finds") {
		t.Errorf("the box is %q: %q", frame.Title, text)
	}
	for i := tr.at; tr.shown(); i++ {
		if i > len(steps) {
			t.Fatal("the tour does not end")
		}
		if s := steps[tr.at]; s.needs != nil && !s.needs(now) {
			t.Errorf("step %d is not possible", tr.at)
		}
		tr.press(next, now)
	}
	tr.begin(now)
	if tr.press(end, now) != tourMoved || tr.shown() {
		t.Error("ctrl+x does not end the tour")
	}
}

// Only the result of the latest attempt to read the spec is used. After an error, the open spec stays open.
func TestSpecLoader(t *testing.T) {
	l := specLoader{source: "shop.yaml"}
	l.read()
	l.read()
	spec := &screen.AnalyzedSpec{Spec: &model.Spec{Problems: []model.Problem{{Pointer: "pet.yaml#/a", Text: "two bodies"}}}}
	if l.accept(specRead{no: 1, spec: spec}) || l.opened != nil {
		t.Error("an older result was accepted")
	}
	if !l.accept(specRead{no: 2, spec: spec}) || l.opened != spec {
		t.Error("the newest result was not accepted")
	}
	l.read()
	if !l.accept(specRead{no: 3, err: errors.New("line 3: a tab")}) || l.opened != spec {
		t.Error("an error closed the open spec")
	}
	all := l.problems()
	if len(all) != 2 || all[0].Text != "line 3: a tab" || all[1].File != "pet.yaml" {
		t.Errorf("the problems are %+v", all)
	}
	if l.watch() != nil {
		t.Error("files are watched without stamps")
	}
}
