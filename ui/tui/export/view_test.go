package export

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"
)

// states has the states of the screen to draw.
var states = map[string]func(*testing.T) *driver{
	"empty":     func(t *testing.T) *driver { return drive(t, demo) },
	"picked":    func(t *testing.T) *driver { return drive(t, demo).pick(carts, health).press("down") },
	"no values": func(t *testing.T) *driver { return drive(t, demo).pick(carts, orders, stock) },
	"running": func(t *testing.T) *driver {
		d := drive(t, demo).pick(carts, orders, stock)
		d.hold = true
		return d.press("r")
	},
	"failed": func(t *testing.T) *driver { return drive(t, demo).pick(carts, orders, stock).press("r") },
	"stubs": func(t *testing.T) *driver {
		put := carts
		put.Stubs = []model.Stub{resets}
		network := screen.SurroundingsChanged{Surroundings: usecase.Surroundings{Net: true}}
		return drive(t, demo).send(network).pick(put, orders).press("r").pick(put, health)
	},
	"unplayed": func(t *testing.T) *driver {
		put := carts
		put.Stubs = []model.Stub{resets}
		return drive(t, demo).pick(put, health)
	},
	"written": func(t *testing.T) *driver { return drive(t, demo).pick(carts, health).press("w") },
	"reading": func(t *testing.T) *driver { return drive(t, demo).pick(carts, health).press("v", "down") },
	"formats": func(t *testing.T) *driver {
		return drive(t, demo).withFormats().pick(carts, health).press("o", "down", "down")
	},
	"formats filtered": func(t *testing.T) *driver { return drive(t, demo).withFormats().pick(carts).press("o", "/", "j", "q") },
	"formats, no test": func(t *testing.T) *driver { return drive(t, demo).withFormats().press("o", "end") },
	"exists": func(t *testing.T) *driver {
		d := drive(t, demo).pick(carts, health)
		d.writeErr = fmt.Errorf("it is there: %w", fs.ErrExist)
		return d.press("w")
	},
	"error": func(t *testing.T) *driver {
		d := drive(t, demo).pick(carts, health)
		d.writeErr = errors.New(`no folder "sonde-tests" for the tests: permission denied`)
		return d.press("w")
	},
}

func TestViews(t *testing.T) {
	for name, state := range states {
		for _, size := range [][2]int{{40, 9}, {80, 21}, {120, 33}, {200, 57}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				view := state(t).size(size[0], size[1]).screen.View(size[0], size[1])
				rows := strings.Split(view, "\n")
				for i := range rows {
					rows[i] = strings.TrimRight(rows[i], " ")
				}
				golden.RequireEqual(t, []byte(strings.Join(rows, "\n")+"\n"))
			})
		}
	}
}

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		w, h              int
		reading, choosing bool
		want              layout
	}{
		{w: 40, h: 9, want: layout{list: draw.Rect{W: 40, H: 7}, foot: draw.Rect{Y: 7, W: 40, H: 2}}},
		{w: 60, h: 21, reading: true, want: layout{code: draw.Rect{W: 60, H: 16}, foot: draw.Rect{Y: 16, W: 60, H: 5}}},
		{w: 60, h: 21, choosing: true, want: layout{list: draw.Rect{W: 60, H: 15}, foot: draw.Rect{Y: 15, W: 60, H: 6}}},
		{
			w: 80, h: 21,
			want: layout{list: draw.Rect{W: 30, H: 16}, code: draw.Rect{X: 30, W: 50, H: 16}, foot: draw.Rect{Y: 16, W: 80, H: 5}},
		},
		{
			w: 80, h: 21, choosing: true,
			want: layout{list: draw.Rect{W: 48, H: 15}, code: draw.Rect{X: 48, W: 32, H: 15}, foot: draw.Rect{Y: 15, W: 80, H: 6}},
		},
		{
			w: 120, h: 33, reading: true,
			want: layout{list: draw.Rect{W: 43, H: 28}, code: draw.Rect{X: 43, W: 77, H: 28}, foot: draw.Rect{Y: 28, W: 120, H: 5}},
		},
		{
			w: 200, h: 57,
			want: layout{list: draw.Rect{W: 64, H: 52}, code: draw.Rect{X: 64, W: 136, H: 52}, foot: draw.Rect{Y: 52, W: 200, H: 5}},
		},
	} {
		if got := newLayout(c.w, c.h, c.reading, c.choosing); got != c.want {
			t.Errorf("%d×%d, reading %t:\ngot  %+v\nwant %+v", c.w, c.h, c.reading, got, c.want)
		}
	}
}

// For any picks and after any keys, a view has its exact size and no control characters.
func TestViewKeepsItsSize(t *testing.T) {
	keys := []string{
		"o", "/", "w", "f", "r", "v", "enter", "esc", "up", "down", "left", "right", "pgup", "pgdown", "home", "end", "W", "y", "n", "x",
	}
	text := rapid.StringMatching(`[ -~\x00-\x1f\x{80}-\x{9f}世é\x{202e}]{1,40}`)
	rapid.Check(t, func(rt *rapid.T) {
		d := drive(t, rapid.SampledFrom([]screen.Service{demo, {}, {URL: "https://x.example/\x1b[2J", Remote: true}}).Draw(rt, "host"))
		d.withFormats()
		for range rapid.IntRange(0, 8).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				var items []screen.SeqItem
				for i := range rapid.IntRange(0, 6).Draw(rt, "picks") {
					op := model.OpID("GET /" + text.Draw(rt, "path"))
					items = append(
						items,
						rapid.SampledFrom([]screen.SeqItem{kept(fmt.Sprint("t", i), op), listed(fmt.Sprint("d", i), op)}).Draw(rt, "item"),
					)
				}
				d.pick(items...)
			case 1:
				d.size(rapid.IntRange(40, 220).Draw(rt, "w"), rapid.IntRange(8, 60).Draw(rt, "h"))
			default:
				d.press(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
		}
		w, h := rapid.IntRange(40, 220).Draw(rt, "width"), rapid.IntRange(8, 60).Draw(rt, "height")
		if problem := unfit(d.screen.View(w, h), w, h); problem != "" {
			rt.Fatal(problem)
		}
	})
}

// unfit returns the reason why a view does not have height lines of width printable cells, "" if it does.
func unfit(view string, width, height int) string {
	rows := strings.Split(view, "\n")
	if len(rows) != height {
		return fmt.Sprintf("%d lines, want %d", len(rows), height)
	}
	for _, r := range rows {
		if got := ansi.StringWidth(r); got != width {
			return fmt.Sprintf("line %q is %d cells wide, want %d", r, got, width)
		}
		if strings.ContainsFunc(r, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 }) {
			return fmt.Sprintf("line %q has a control character", r)
		}
	}
	return ""
}

func BenchmarkView(b *testing.B) {
	d := &driver{}
	s := New(screen.Engine{TestFiles: usecase.TestFiles{Preview: d.preview}}, demo)
	var items []screen.SeqItem
	for i := range 1000 {
		items = append(items, kept(fmt.Sprintf("t%d", i), "POST /carts", "POST /carts/{cartId}/items"))
	}
	d.screen = s
	d.size(160, 50).send(screen.Shown{Tab: screen.TabExport}).pick(items...)
	for b.Loop() {
		d.screen.View(160, 50)
	}
}
