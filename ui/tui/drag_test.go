package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sonde/ui/app/userdata"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// press, motion and release are the events of a mouse with the left button, at a cell of the app.
func pressAt(x, y int) tea.MouseMsg {
	return tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
}

func moveTo(x, y int) tea.MouseMsg {
	return tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionMotion}
}

func releaseAt(x, y int) tea.MouseMsg {
	return tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonNone, Action: tea.MouseActionRelease}
}

// drag drags the mouse from one cell to another.
func (d *driver) drag(fromX, fromY, toX, toY int) *driver {
	return d.send(pressAt(fromX, fromY)).send(moveTo((fromX+toX)/2, (fromY+toY)/2)).send(moveTo(toX, toY)).send(releaseAt(toX, toY))
}

// The borders between panes can be dragged on each screen that has two panes. The view keeps its size, wherever a border
// is dragged to.
func TestDragBorders(t *testing.T) {
	seen := map[string]int{}
	for tab, mark := range tabs {
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
			shown := func() *driver {
				d, _ := copied(open(shop(), nil).size(size[0], size[1]).press("4", " ", fmt.Sprint(tab+1)))
				return d
			}
			for _, b := range bordersOf(shown()) {
				seen[mark]++
				dragBorder(t, shown(), b)
			}
		}
	}
	for _, mark := range []string{tabs[0], tabs[1], tabs[2], tabs[3], tabs[5]} {
		if seen[mark] == 0 {
			t.Errorf("%s has no border", mark)
		}
	}
}

func bordersOf(d *driver) []screen.Border {
	return d.app.screens.visible().(screen.Keeper).Kept().Borders()
}

// dragBorder drags a border a little, and then to the edges of the app.
func dragBorder(t *testing.T, d *driver, b screen.Border) {
	t.Helper()
	x, y, by := b.At, b.Area.Y+b.Area.H/2+above, cell{x: -6}
	if b.Rows {
		x, y, by = b.Area.X+2, b.At+above, cell{y: -2}
	}
	before := d.app.View()
	d.drag(x, y, x+by.x, y+by.y)
	now := atOf(d, b.ID)
	if now == b.At || now < 0 || d.app.View() == before {
		t.Errorf("the border %+v was not dragged\n%s", b, d.app.View())
	}
	if len(d.app.place().Panes[strings.ToLower(d.app.screens.visible().Name())]) == 0 {
		t.Errorf("the place has no share of %s", b.ID)
	}
	for _, edge := range []cell{{x, y}, {0, 0}, {d.app.width - 1, d.app.height - 1}} {
		at := atOf(d, b.ID)
		if b.Rows {
			d.drag(x, at+above, x, edge.y)
		} else {
			d.drag(at, y, edge.x, y)
		}
		whole(t, d)
	}
}

// atOf returns the position of a border of the visible screen, -1 if it is not shown.
func atOf(d *driver, id string) int {
	for _, b := range bordersOf(d) {
		if b.ID == id {
			return b.At
		}
	}
	return -1
}

// The sizes of panes are restored with the place, and fit at all sizes of the terminal.
func TestPanesOfAPlace(t *testing.T) {
	panes := map[string]map[string]int{"explore": {"page": 700}, "seqs": {"details": 99_999}, "nothing": {"x": 1}}
	d := back(shop(), userdata.Place{Panes: panes})
	for _, size := range [][2]int{{40, 12}, {60, 24}, {80, 24}, {120, 36}, {200, 50}} {
		d.size(size[0], size[1])
		for tab := range tabs {
			whole(t, d.press(fmt.Sprint(tab+1)))
		}
	}
	if at := atOf(d.press("1"), "page"); at != 140 {
		t.Errorf("the border is at %d, want 140 of 200", at)
	}
	if got := d.app.place().Panes["explore"]["page"]; got != 700 {
		t.Errorf("the share is %d", got)
	}
}

// copied returns a driver that records what is copied.
func copied(d *driver) (*driver, *[]string) {
	var all []string
	d.app.drag.copies = func(text string) error {
		all = append(all, text)
		return nil
	}
	return d, &all
}

// Dragging inside a pane selects text of this pane, and copies it when the button is released.
func TestSelectText(t *testing.T) {
	d, all := copied(open(shop(), nil).size(80, 24))
	d.send(pressAt(38, 3)).send(moveTo(50, 3)).send(moveTo(63, 3))
	if len(*all) > 0 {
		t.Error("copied before the button was released")
	}
	d.send(releaseAt(63, 3)).sees(t, "› copied: List products, or search")
	d.drag(38, 5, 70, 7).sees(t, "› copied 3 lines")
	want := []string{"List products, or search t", "Takes\n  ○ category       query  tent | backpack…\n  ○ minPriceCents  query  integer"}
	d.drag(70, 7, 38, 5) // backwards
	if len(*all) != 3 || (*all)[0] != want[0] || (*all)[1] != want[1] || strings.Replace((*all)[2], "▸", " ", 1) != want[1] {
		t.Errorf("copied %q, want %q", *all, want)
	}
	d.send(pressAt(10, 6)).send(releaseAt(10, 6)) // a click selects nothing
	d.drag(3, 21, 12, 21)                         // these cells are blank
	if len(*all) != 3 {
		t.Errorf("copied %q", (*all)[3:])
	}
	d.app.drag.copies = func(string) error { return errors.New("no clipboard") }
	d.drag(37, 5, 70, 7).sees(t, "✗ no clipboard")
}

// Text of a box over the screen can be selected, too, and the selection ends at its border. A click that closes the box
// selects nothing.
func TestSelectTextOfABox(t *testing.T) {
	d, all := copied(open(shop(), nil).size(120, 36).press("/").write("cart").press("enter", "~"))
	d.drag(17, rowOf(d, "Explore: filter cart"), 119, 30)
	if len(*all) != 1 || !strings.HasPrefix((*all)[0], "Explore: filter cart") || strings.ContainsAny((*all)[0], "│╰") {
		t.Errorf("copied %q", *all)
	}
	d.sees(t, "Command log").press("esc", "?")
	d.drag(37, rowOf(d, "its group"), 80, 30).misses(t, "Keys of Explore")
	if len(*all) != 1 {
		t.Errorf("copied %q", *all)
	}
}

// rowOf returns the first row of the view with a text.
func rowOf(d *driver, text string) int {
	for y, line := range strings.Split(d.app.View(), "\n") {
		if strings.Contains(line, text) {
			return y
		}
	}
	return -1
}

// slider is a screen that changes when the mouse is dragged over it.
type slider struct {
	screen.Screen
	at int
}

func (s *slider) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	if m, ok := msg.(tea.MouseMsg); ok && m.Action == tea.MouseActionMotion {
		s.at = m.X
	}
	return s, nil
}

func (s *slider) View(width, height int) string {
	return draw.FitLines(strings.Repeat("━", s.at)+"╸ of the slider", width, height)
}

// A drag that changes the screen, such as that of a slider, selects no text.
func TestDragOfASlider(t *testing.T) {
	d, all := copied(open(shop(), nil).size(80, 24))
	s := &slider{Screen: d.app.screens.all[0]}
	d.app.screens.all[0] = s
	d.drag(2, 2, 20, 2)
	if s.at != 20 || len(*all) > 0 {
		t.Errorf("the slider is at %d, copied %q", s.at, *all)
	}
}

// The help says what a drag does, and how to select text by the terminal itself.
func TestHelpOfTheMouse(t *testing.T) {
	d := open(shop(), nil).size(60, 24).press("?").write("drag")
	d.sees(t, "drag       a border moves it, text in a pane is copied", "⇧ drag     the terminal's own")
}

func TestPaneAt(t *testing.T) {
	picture := strings.Join([]string{
		"╭─ a ──╮╭─ b ───╮",
		"│ one  ││ ╭──╮  │",
		"│ 東京 ││ │in│  │",
		"│      ││ ╰──╯  │",
		"╰──────╯╰───────╯",
		" no frame here   ",
	}, "\n")
	for at, want := range map[cell]draw.Rect{
		{2, 1}:  {X: 1, Y: 1, W: 6, H: 3},
		{12, 1}: {X: 9, Y: 1, W: 7, H: 3},
		{11, 2}: {X: 11, Y: 2, W: 2, H: 1},
		{3, 5}:  {W: 17, H: 6},
		{0, 0}:  {W: 17, H: 6},
	} {
		if got := paneAt(picture, at.x, at.y); got != want {
			t.Errorf("at %v: got %+v, want %+v", at, got, want)
		}
	}
}

// Whatever is dragged, the view keeps its size, and what is copied is on the screen.
func TestDragLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, all := copied(open(shop(), nil).size(rapid.IntRange(40, 160).Draw(t, "width"), rapid.IntRange(12, 50).Draw(t, "height")))
		d.press(fmt.Sprint(rapid.IntRange(1, 8).Draw(t, "tab")))
		x, y := rapid.IntRange(-1, d.app.width+1), rapid.IntRange(-1, d.app.height+1)
		for range rapid.IntRange(1, 6).Draw(t, "drags") {
			d.send(pressAt(x.Draw(t, "x"), y.Draw(t, "y")))
			for range rapid.IntRange(0, 3).Draw(t, "moves") {
				d.send(moveTo(x.Draw(t, "x"), y.Draw(t, "y")))
				whole(t, d)
			}
			before := len(*all)
			d.app.status.clear() // a message hides text that can be selected
			view := d.app.View()
			d.send(releaseAt(x.Draw(t, "x"), y.Draw(t, "y")))
			for _, text := range (*all)[before:] {
				for line := range strings.SplitSeq(text, "\n") {
					if !strings.Contains(view, line) {
						t.Fatalf("%q was copied, but is not in\n%s", line, view)
					}
				}
			}
			whole(t, d)
		}
	})
}
