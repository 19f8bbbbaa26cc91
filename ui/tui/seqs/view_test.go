package seqs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"
)

// states has the states of the screen to draw.
var states = map[string]func(*testing.T) *driver{
	"empty": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{
			Spec: &model.Spec{}, Analysis: analysis.Analyze(&model.Spec{}, analysis.Options{}), Matcher: match.New(nil, match.PaperMode),
		}})
	},
	"files": func(t *testing.T) *driver {
		return bound(t).show("run", "t1").read(oneCart, twoCalls).press("home", "down")
	},
	"file played": func(t *testing.T) *driver {
		return bound(t).answering(200).read(oneCart, twoCalls).press("g", "home", "down", "R", " ")
	},
	"distilled": func(t *testing.T) *driver { return drive(t).send(screen.SpecOpened{Spec: shop()}) },
	"running": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3").press("down")
	},
	"left out": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: shop()}).send(unsound("it was not played again")).press("down", " ")
	},
	"picked": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3").press("down", "down", " ").
			show("run", "t1", "t2").press("down", "down", " ")
	},
	"none picked": func(t *testing.T) *driver { return drive(t).send(screen.SpecOpened{Spec: shop()}).press("d", "end") },
	"covered": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1").press(" ", "d", "a")
	},
	"filtered": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: large(500)}).show(
			"run", "t1", "t2", "t3",
		).press("/", "p", "o", "s", "t", "enter", "f", "f")
	},
	"grouped": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: large(500)}).send(weighed()).press("g", "g", "o", "down", " ")
	},
	"sorted": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: shop()}).send(weighed()).press("g", "o", "o", "o", "o", "o", "o", "o")
	},
	"by hand": func(t *testing.T) *driver {
		made := test("")
		made.Origin = model.OriginManual
		return drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1").send(screen.TestsKept{Tests: []model.Test{made}})
	},
	"outside": func(t *testing.T) *driver {
		return outside(t).press("down", " ").send(screen.PutStub{
			Stub: model.Stub{Host: ":7070", Protocol: model.UDP, Inward: true, Answers: []model.Answer{{Body: "x"}}},
		}).press("enter")
	},
	"compared": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3").press("down", "c", "end", "up", "up")
	},
	"compared whole": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3").press("down", "c", "end", "up", "up", "enter")
	},
	"building": func(t *testing.T) *driver {
		return bound(t).press("down", "e", "down", "down")
	},
	"typing": func(t *testing.T) *driver {
		return bound(t).press("down", "e", "down", "enter")
	},
	"dry run": func(t *testing.T) *driver {
		return bound(t).press("down", "n")
	},
	"practical": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: shop()}).press("P", "enter")
	},
	"practical list": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: shop()}).press("d", "P", "enter", "esc", "end")
	},
	"reading": func(t *testing.T) *driver {
		return drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3").press("down", "enter", "down")
	},
}

func TestViews(t *testing.T) {
	for name, state := range states {
		for _, size := range [][2]int{{40, 9}, {60, 21}, {80, 21}, {120, 33}, {200, 57}} {
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

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		width      int
		reading    bool
		list, page draw.Rect
	}{
		{40, false, draw.Rect{W: 40, H: 20}, draw.Rect{}},
		{60, true, draw.Rect{}, draw.Rect{W: 60, H: 20}},
		{80, false, draw.Rect{W: 80, H: 20}, draw.Rect{}},
		{120, true, draw.Rect{W: 66, H: 20}, draw.Rect{X: 66, W: 54, H: 20}},
		{200, false, draw.Rect{W: 110, H: 20}, draw.Rect{X: 110, W: 90, H: 20}},
	} {
		if list, page := splitPanes(c.width, 20, c.reading, false); list != c.list || page != c.page {
			t.Errorf("%d columns, reading %t: got %v and %v, want %v and %v", c.width, c.reading, list, page, c.list, c.page)
		}
	}
}

// At any width and in any order, and for any shared properties, the columns of a row do not overlap, and
// there is room for the calls.
func TestColumns(t *testing.T) {
	for width := 38; width < 300; width++ {
		for by := range orders {
			for _, bits := range []int{0, 1, 2, 3, 0b111100, 0b11111111, 0b10101010, 0b1010101} {
				s := shared{origin: bits&1 > 0, status: bits&2 > 0, statuses: 3}
				for i, f := range figures {
					s.figures[f] = bits>>(2+i)&1 > 0
				}
				c, last := columnsOf(width, by, s), markColumn+1
				starts := []int{c.origin, c.chain, c.chainEnd, c.status}
				for i, f := range c.figures {
					starts = append(starts, c.ends[i]-c.size(f))
				}
				for _, at := range starts {
					if at > 0 && (at <= last || at >= width) {
						t.Fatalf("%d cells, %s, %+v: %+v", width, by, s, c)
					}
					last = max(last, at)
				}
				if room := c.chainEnd - c.chain; room < 22 && width >= 58 {
					t.Errorf("%d cells, %s, %+v: calls have %d", width, by, s, room)
				}
			}
		}
	}
}

// A property that all rows share has no column. It is described above the table.
func TestSharedColumns(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()})
	for name, c := range map[string]struct {
		rows []string
		want string
		left []figure
	}{
		"tests and seqs": {
			rows: []string{"t1", "t2", "d1"}, want: "each: 1 group",
			left: []figure{lengthFigure, coversFigure, faultsFigure, onlyFigure},
		},
		"one test": {rows: []string{"t3"}, left: []figure{lengthFigure, groupsFigure, coversFigure, faultsFigure, onlyFigure}},
		"one seq":  {rows: []string{"d1"}, left: []figure{lengthFigure, groupsFigure}},
		"seqs of two calls": {
			rows: []string{"d1", "d3"}, want: "each: distilled · not called yet · 2 calls · 1 group",
		},
		"seqs": {
			rows: []string{"d1", "d2", "d3"}, want: "each: distilled · not called yet · 1 group", left: []figure{lengthFigure},
		},
		"tests with the same answers": {
			rows: []string{"t1", "t4"}, want: "each: search · status 200 · 1 call · 1 group · 1 target · 0 faults · only 0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d.show("run", "t1", "t2", "t3", "t4")
			var rows []*row
			for _, id := range c.rows {
				r := d.screen.catalog.byID[id]
				if r == nil {
					r = d.screen.catalog.distilled.rows[id[1]-'1']
				}
				rows = append(rows, r)
			}
			s := sharedBy(rows, false)
			if s.text != c.want {
				t.Errorf("above the rows is %q, want %q", s.text, c.want)
			}
			if got := columnsOf(200, asListed, s).figures; !slices.Equal(got, c.left) {
				t.Errorf("columns %v, want %v", got, c.left)
			}
		})
	}
}

// In any state, a view has its exact size and no control characters, and the reported picks are the picked
// rows of the list.
func TestViewKeepsItsSize(t *testing.T) {
	keys := []string{
		" ", "A", "f", "/", "esc", "enter", "v", "up", "down", "pgdown", "pgup", "home", "end", "p", "!", "4", "a",
		"u", "d", "s", "e", "n", "c", "D", "z", "R", "ctrl+s", "g", "o", "P", "enter",
	}
	ids := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9"}), 0, 9, rapid.ID[string])
	rapid.Check(t, func(rt *rapid.T) {
		d := drive(t).send(screen.SpecOpened{Spec: large(rapid.IntRange(0, 30).Draw(rt, "seqs"))})
		for range rapid.IntRange(0, 20).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				d.show(rapid.SampledFrom([]string{"run 1", "run 2"}).Draw(rt, "run"), ids.Draw(rt, "tests")...)
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
		if at := d.screen.list.cursor.At; at < len(d.screen.list.rows) && d.screen.list.rows[at].isHeading() {
			rt.Fatal("the cursor is on a heading")
		}
		if got, want := len(d.picked()), d.screen.picks.tally.picked; got != want || got != len(d.screen.catalog.picks()) {
			rt.Fatalf("reported %d picks, counted %d, the list has %d", got, want, len(d.screen.catalog.picks()))
		}
	})
}

// unfit returns the reason why a view does not consist of height lines of width printable cells, "" if it
// does.
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

// benchScreen lists 40,000 seqs and tests.
func benchScreen() *Screen {
	s := New(screen.Engine{}, screen.Service{})
	s.Update(screen.SpecOpened{Spec: large(20000)})
	s.Update(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseRunning, Tests: archive(20000)}, Folder: "run"})
	return s
}

func BenchmarkView(b *testing.B) {
	s := benchScreen()
	for b.Loop() {
		s.View(160, 50)
	}
}

func BenchmarkFilterKey(b *testing.B) {
	for by := range groupings {
		b.Run("by "+by.String(), func(b *testing.B) {
			s := benchScreen()
			s.list.groups.by = by
			s.Update(pressed("/"))
			for b.Loop() {
				s.Update(pressed("p"))
				s.Update(pressed("backspace"))
			}
		})
	}
}

func BenchmarkProgress(b *testing.B) {
	s, tests := benchScreen(), [2][]model.Test{archive(20000), archive(20000)}
	i := 0
	for b.Loop() {
		i++
		s.Update(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseRunning, Tests: tests[i%2]}, Folder: "run"})
	}
}
