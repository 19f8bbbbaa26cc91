package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/golden"
)

// The letters of each row move the cursor to that row, at every size, and have no other effect.
func TestJumpGoesWhereTheLettersAre(t *testing.T) {
	leaveOutIfShort(t)
	for name, way := range map[string][]string{
		"explore":           orders,
		"page":              append(slices.Clone(orders), "enter"),
		"filtered":          {"/", "x", ":", "y", "enter"},
		"groups":            {"2"},
		"figure":            {"2", "v", "v"},
		"members":           {"2", "down", "v"},
		"seqs":              {"4"},
		"graph":             {"3"},
		"tree of the graph": {"3", "t"},
		"search":            {"5"},
	} {
		for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}} {
			t.Run(fmt.Sprint(name, size), func(t *testing.T) {
				d := open(shop(), nil).size(size[0], size[1]).press(way...)
				n := len(d.app.screens.visible().(screen.PointTargeter).Targets())
				for i := 0; i < n; i += 1 + n/4 {
					d := open(shop(), nil).size(size[0], size[1]).press(way...)
					at := d.app.screens.visible().(screen.PointTargeter).Targets()[i]
					cell := func(up int) string {
						return string([]rune(strings.Split(d.app.View(), "\n")[above+at.Y-up])[at.X:][:2])
					}
					label := labels(n)[i]
					d.press("J")
					if !strings.HasPrefix(cell(0), label) {
						t.Fatalf("%s is not painted in\n%s", label, d.app.View())
					}
					tab := d.app.screens.tab
					// The jump may scroll the view. If a page gets the focus, it shows one line less. If a box was
					// only partly visible, it becomes completely visible.
					seen := func() string {
						if name == "graph" {
							return cell(0) + cell(1) + cell(2) + cell(3)
						}
						return cell(0) + cell(1)
					}
					d.write(label)
					if !strings.ContainsAny(seen(), "▸┏┌") || d.app.screens.tab != tab {
						t.Fatalf("%s did not put the cursor to %v in\n%s", label, at, d.app.View())
					}
				}
			})
		}
	}
}

func TestJumpViews(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			golden.RequireEqual(t, []byte(trimmed(open(shop(), nil).size(size[0], size[1]).press("J").app.View())))
		})
	}
}

func TestJump(t *testing.T) {
	d := open(shop(), nil).size(80, 24)
	before := d.app.View()
	d.press("J").press("esc")
	if d.app.View() != before {
		t.Errorf("esc left\n%s", d.app.View())
	}
	d.press("J", "1", "?", "J").sees(t, "esc close").misses(t, "Keys of").press("esc")
	d.press("J").send(tea.WindowSizeMsg{Width: 120, Height: 36}).misses(t, "esc close")
	d.press("J").click(t, "Operations").misses(t, "esc close")
	d.press("4", "J").sees(t, "esc close").press("d").sees(t, "esc close").press("d").sees(t, "Seq d") // two letters
	d.press("J").send(halfway).sees(t, "esc close")                                                    // the rows are the same
	d.press("esc", "1", "/").write("J").sees(t, "/ J")
	open(shop(), nil).press("8", "J").sees(t, "nothing to jump to here")
}

// The labels disappear if the rows below them change.
func TestJumpIsLate(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press("/").write("status:5xx").press("enter", "J").sees(t, "esc close")
	d.send(halfway).misses(t, "esc close")
}

func TestLabels(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 26: 26, 27: 27, 676: 676, 1000: 676} {
		got := labels(n)
		seen := map[string]bool{}
		for _, l := range got {
			seen[l] = true
			if len(l) != len(got[0]) {
				t.Errorf("%d: %s begins another", n, l)
			}
		}
		if len(seen) != want {
			t.Errorf("%d: got %d labels, want %d", n, len(seen), want)
		}
	}
}

// While a search is running, the labels are on the rows in its panes. They stay when progress arrives and the rows
// keep their places.
func TestJumpInASearch(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press("5").send(halfway).press("J").sees(t, "esc close")
	d.send(halfway).sees(t, "esc close").press("d").misses(t, "esc close").sees(t, "▸ focus      F")
}
