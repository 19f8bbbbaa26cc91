package campaign

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	flag.Parse()
	os.Exit(m.Run())
}

// driver presses keys on the screen. The screen looks at the campaigns only when the test calls look.
type driver struct {
	*Screen
	t         *testing.T
	view      usecase.CampaignsView // the result of the next look
	looks     []string              // the ID with which each look was made
	cancelled []string
	err       error // the error that a cancellation returns
	said      string
}

func drive(t *testing.T, id string, view usecase.CampaignsView) *driver {
	t.Helper()
	d := &driver{t: t, view: view}
	d.Screen = New(usecase.Campaigns{
		Look: func(id string) usecase.CampaignsView {
			d.looks = append(d.looks, id)
			v := d.view
			if id == "" {
				v.Failures, v.Progress = nil, nil
			}
			return v
		},
		Cancel: func(id string) error {
			d.cancelled = append(d.cancelled, id)
			return d.err
		},
	}, id, 0)
	return d.size(120, 34).look().look() // the first look may choose a campaign
}

func (d *driver) size(width, height int) *driver {
	d.Screen.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// look makes the screen look at the campaigns once, as the clock does at intervals.
func (d *driver) look() *driver {
	d.Screen.Update(d.Begin()())
	return d
}

func (d *driver) press(names ...string) *driver {
	types := map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "end": tea.KeyEnd}
	for _, name := range names {
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
		if kind, ok := types[name]; ok {
			k = tea.KeyMsg{Type: kind}
		}
		_, cmd := d.Screen.Update(k)
		for cmd != nil {
			msg := cmd()
			if s, ok := msg.(screen.StatusMessage); ok {
				d.said = s.Text
				if s.Err != nil {
					d.said = s.Err.Error()
				}
				break
			}
			_, cmd = d.Screen.Update(msg)
		}
	}
	return d
}

func (d *driver) picture() string { return d.View(d.width, d.height) }

func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if !strings.Contains(d.picture(), text) {
			d.t.Fatalf("no %q in\n%s", text, d.picture())
		}
	}
	return d
}

func (d *driver) seesNot(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if strings.Contains(d.picture(), text) {
			d.t.Fatalf("%q in\n%s", text, d.picture())
		}
	}
	return d
}

const version = "sonde 1.0 go1.26"

// busy is a campaign whose workers are in all states.
func busy() usecase.CampaignsView {
	return usecase.CampaignsView{
		Ready: true,
		Campaigns: []usecase.Campaign{
			{
				ID: "study-1", Kind: "study", Version: version, Units: 1000, Done: 412, Failed: 2, Coordinator: "desk, process 4711",
				Life: usecase.Alive, Silent: time.Second, Rate: 3.7,
			},
			{ID: "survey-7", Kind: "survey", Version: version, Units: 40, Done: 40, Ended: true, Coordinator: "desk, process 12"},
		},
		Workers: []usecase.CampaignWorker{
			{
				ID: "worker-aa", Host: "arm-1", Version: version, PID: 17, Jobs: 4, Labels: []string{"cpu=arm64", "rack=2"},
				Doing: []string{"study-1/414", "study-1/417", "survey-9/1"}, Done: 207, Failed: 1, Rate: 1.9, Life: usecase.Alive,
			},
			{
				ID: "worker-bb", Host: "arm-2", Version: version, PID: 18, Jobs: 2, Done: 3, Life: usecase.Vanished,
				Silent: 12 * time.Second, Doing: []string{"study-1/415"},
			},
			{ID: "worker-cc", Host: "arm-3", Version: "sonde 0.9 go1.25", PID: 19, Jobs: 2, Life: usecase.Alive, Silent: 3 * time.Second},
			{
				ID: "worker-dd", Host: "x86-1", Version: version, PID: 20, Jobs: 1, Done: 202, Life: usecase.Alive, Rate: 0.4,
				Error: "this worker may not do it: it builds no services",
			},
			{ID: "worker-ee", Host: "x86-2", Version: version, PID: 21, Jobs: 1, Done: 1, Life: usecase.Left},
			{ID: "worker-ff", Host: "x86-0", Version: version, PID: 22, Jobs: 1, Life: usecase.Vanished},
			{ID: "worker-gg", Host: "x86-3", Version: version, PID: 23, Jobs: 1, Life: usecase.LivenessUnknown},
		},
		Failures: []usecase.UnitFailure{
			{Unit: 17, Worker: "worker-bb", Reason: "its process ended: signal: killed"},
			{Unit: 93, Worker: "worker-dd", Reason: "sonde itself failed: no such thing; please report it with this: goroutine 7\n" +
				"main.go:12"},
		},
	}
}

// islands is a campaign whose units report their progress, which is drawn as curves.
func islands() usecase.CampaignsView {
	view := with(busy(), func(c *usecase.Campaign) { c.Kind, c.Units, c.Done, c.Failed, c.Rate = "search", 5, 0, 0, 0 })
	for unit := range 5 {
		p := usecase.WatchedUnit{Unit: unit, UnitProgress: usecase.UnitProgress{
			Name: fmt.Sprintf("island %d", unit+1), Calls: 6200, Of: 10_000, Covered: 300 * (unit + 1), Faults: unit,
		}}
		for i := range 60 {
			p.Points = append(p.Points, [2]int{100 * i, p.Covered * i / (i + 10)})
		}
		view.Progress = append(view.Progress, p)
	}
	return view
}

// with returns a copy of a view in which change has changed the first campaign.
func with(view usecase.CampaignsView, change func(*usecase.Campaign)) usecase.CampaignsView {
	view.Campaigns = slices.Clone(view.Campaigns)
	change(&view.Campaigns[0])
	return view
}

var states = map[string]func(*testing.T) *driver{
	"none": func(t *testing.T) *driver { return drive(t, "", usecase.CampaignsView{Ready: true}) },
	"one":  func(t *testing.T) *driver { return drive(t, "", busy()) },
	"list": func(t *testing.T) *driver { return drive(t, "", many()) },
	"lost": func(t *testing.T) *driver {
		view := busy()
		view.Problem, view.Lost = "no NATS server answers at nats://host:4222", 75*time.Second
		return drive(t, "study-1", view)
	},
	"silent": func(t *testing.T) *driver {
		return drive(t, "study-1", with(busy(), func(c *usecase.Campaign) { c.Life, c.Silent = usecase.Vanished, 3*time.Minute }))
	},
	"ended": func(t *testing.T) *driver {
		return drive(t, "study-1", with(busy(), func(c *usecase.Campaign) { c.Ended, c.Done = true, 998 }))
	},
	"cancelled": func(t *testing.T) *driver {
		return drive(t, "study-1", with(busy(), func(c *usecase.Campaign) { c.Cancelled = true }))
	},
	"islands": func(t *testing.T) *driver { return drive(t, "", islands()).press("v", "v", "down") },
	"worker":  func(t *testing.T) *driver { return drive(t, "", busy()).press("enter") },
	"failure": func(t *testing.T) *driver { return drive(t, "", busy()).press("v", "down", "enter") },
	"cancel":  func(t *testing.T) *driver { return drive(t, "", busy()).press("x") },
}

func many() usecase.CampaignsView {
	view := busy()
	view.Campaigns = append(view.Campaigns,
		usecase.Campaign{
			ID: "survey-8", Kind: "survey", Units: 12, Done: 3, Failed: 1, Life: usecase.Vanished,
			LastWrittenAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local),
		},
		usecase.Campaign{ID: "survey-9", Kind: "survey", Units: 100, Coordinator: "lap, process 9"},
	)
	return view
}

func TestViews(t *testing.T) {
	for name, state := range states {
		for _, size := range [][2]int{{40, 10}, {60, 22}, {80, 22}, {120, 34}, {200, 58}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				picture := state(t).size(size[0], size[1]).picture()
				rows := strings.Split(picture, "\n")
				if len(rows) != size[1] {
					t.Errorf("%d lines", len(rows))
				}
				for i, row := range rows {
					if w := ansi.StringWidth(row); w != size[0] {
						t.Errorf("line %d has %d cells: %q", i, w, row)
					}
					rows[i] = strings.TrimRight(row, " ")
				}
				golden.RequireEqual(t, []byte(strings.Join(rows, "\n")+"\n"))
			})
		}
	}
}

// The screen shows the campaign with the given ID. Without an ID, it shows the only campaign in progress or, if there
// is none or more than one, the list of all campaigns.
func TestWhichCampaign(t *testing.T) {
	drive(t, "", busy()).sees("414 of 1,000 units").seesNot("survey-7")
	drive(t, "survey-7", busy()).sees("✓ ended: 40 units done, 0 failed")
	drive(t, "", usecase.CampaignsView{}).sees("Looking for campaigns")
	d := drive(t, "", usecase.CampaignsView{Ready: true}).sees("No campaign is on these servers")
	d.view = busy() // a campaign begins while the list is shown
	d.look().sees("study-1", "survey-7", "running, desk, process 4711")
	d.view = many()
	d.look().press("down", "down").sees("▸survey-8")
	d.view.Campaigns = append([]usecase.Campaign{{ID: "audit-1", Kind: "study", Units: 1}}, d.view.Campaigns...)
	d.look().sees("▸survey-8").press("enter").look().sees("coordinator silent since 2026-03-01 12:00")
	if last := d.looks[len(d.looks)-1]; last != "survey-8" {
		t.Errorf("watches the units of %q", last)
	}
	d.press("esc").sees("▸survey-8", "audit-1")
	i := slices.IndexFunc(d.view.Campaigns, func(c usecase.Campaign) bool { return c.ID == "survey-8" })
	d.view.Campaigns = append([]usecase.Campaign{d.view.Campaigns[i]}, slices.Delete(slices.Clone(d.view.Campaigns), i, i+1)...)
	d.look().sees("▸survey-8") // in the first row
}

// The user opens another campaign before a look at the first campaign has returned. The page of the other campaign
// does not show the units of the first.
func TestLateLook(t *testing.T) {
	d := drive(t, "study-1", islands())
	late := d.Begin()
	d.press("esc", "down", "enter")
	d.Screen.Update(late())
	d.sees("survey-7", "No unit has failed").seesNot("island 1", "signal: killed")
}

func TestWorkers(t *testing.T) {
	d := drive(t, "", busy()).size(200, 40).sees(
		"2 workers, ✗ 1 vanished, ≠ 1 of another version", "2 in progress", "3.7 units/s, about 3m left",
		"gone 12s", "3s ago", "≠ sonde 0.9 go1.25: takes nothing of this campaign", "△ this worker may not do it",
		"414 417 +1", "cpu=arm64 rack=2",
	)
	// The cursor stays on its worker. The row of a worker that vanishes keeps its place.
	d.press("down", "down", "down").sees("▸● worker-dd")
	before := strings.Index(d.picture(), "worker-aa")
	d.view.Workers = slices.Clone(d.view.Workers)
	d.view.Workers[0].Life, d.view.Workers[0].Silent = usecase.Vanished, 5*time.Second
	slices.Reverse(d.view.Workers)
	if d.look().sees("▸● worker-dd", "✗ worker-aa", "gone 5s"); strings.Index(d.picture(), "worker-aa") != before {
		t.Error("the row of a worker has moved")
	}
	d.press("up", "up", "up", "enter").sees("no sign of life for 5s", "414 417, and 1 unit of other campaigns",
		"207 units, and 1 try failed")
	d.press("esc", "down", "down", "enter").sees("sonde 0.9 go1.25, and the campaign has sonde 1.0 go1.26: the worker takes nothing of it")
	d.view.Workers = nil // the worker is gone, but its page stays open
	d.look().sees("sonde 0.9 go1.25").press("esc").sees("No worker is here")
}

func TestIdle(t *testing.T) {
	view := busy()
	view.Workers = nil
	drive(t, "", view).sees("no worker: sonde worker --nats URL joins")
	view.Workers = []usecase.CampaignWorker{{ID: "w", Version: version, Life: usecase.Alive, Error: "it runs no commands"}}
	drive(t, "", view).sees("w: it runs no commands")
}

func TestFailures(t *testing.T) {
	d := drive(t, "", busy()).sees("Failed 2", "17      its process ended").press("v", "down", "enter")
	d.sees("Failed unit 93", "worker-dd", "main.go:12").press("esc").seesNot("Failed unit 93")
	d.view = with(busy(), func(c *usecase.Campaign) { c.Ended = true })
	d.view.Failures = nil
	d.look().sees("The servers no longer have the reasons")
	long := busy()
	long.Failures[1].Reason = strings.Repeat("at main.go:12\n", 100) + "the end"
	d = drive(t, "", long).press("v", "down", "enter").seesNot("the end")
	d.press("end").sees("the end", "of 104 lines").press("up").seesNot("the end")
}

func TestProgress(t *testing.T) {
	d := drive(t, "", islands()).size(80, 22).sees("Progress 5").press("v", "v")
	d.sees(" 62% ", "0 of 5 units, 31,000 of 50,000 calls").seesNot("pace")
	d.sees("island 1", "6,200 of 10,000 calls").press("end").sees("▸ island 5", "1,500 covered · 4 faults", "5 of 5")
	d.press("enter").sees("▸ island 5") // a curve has no details
	if !strings.Contains(d.said, "no row with details") {
		t.Errorf("said %q", d.said)
	}
	d.view.Progress = nil
	d.look().seesNot("Progress").sees("▸ Workers")
}

// calls returns numbers only if the campaign is in progress and all of its units report their calls.
func TestCalls(t *testing.T) {
	c := usecase.Campaign{ID: "c", Units: 2}
	units := []usecase.WatchedUnit{
		{Unit: 0, UnitProgress: usecase.UnitProgress{Calls: 3, Of: 10}}, {Unit: 1, UnitProgress: usecase.UnitProgress{Calls: 4, Of: 20}},
	}
	all := shown{view: usecase.CampaignsView{Progress: units}}
	if sent, of := all.calls(c); sent != 7 || of != 30 {
		t.Errorf("%d of %d calls", sent, of)
	}
	one := shown{view: usecase.CampaignsView{Progress: units[:1]}}
	ended := c
	ended.Ended = true
	for name, s := range map[string]func() (int, int){
		"one unit": func() (int, int) { return one.calls(c) }, "ended": func() (int, int) { return all.calls(ended) },
	} {
		if sent, of := s(); sent != 0 || of != 0 {
			t.Errorf("%s: %d of %d calls", name, sent, of)
		}
	}
}

func TestCancel(t *testing.T) {
	d := drive(t, "", busy()).press("x").sees("Cancel the campaign?", "study-1")
	if !d.Typing() {
		t.Error("the question does not have the keys")
	}
	if d.press("n"); len(d.cancelled) > 0 || d.Typing() {
		t.Errorf("cancelled %v", d.cancelled)
	}
	if d.press("x", "y"); len(d.cancelled) != 1 || d.cancelled[0] != "study-1" || d.said != "campaign study-1 was cancelled" {
		t.Errorf("cancelled %v, said %q", d.cancelled, d.said)
	}
	d.err = errors.New("the servers do not answer")
	if d.press("x", "y"); d.said != "the servers do not answer" {
		t.Errorf("said %q", d.said)
	}
	d.view = with(busy(), func(c *usecase.Campaign) { c.Cancelled = true })
	if d.look().sees("✗ cancelled").press("x"); d.Typing() || d.said != "it is not in progress" {
		t.Errorf("asks to cancel what was cancelled, said %q", d.said)
	}
}

// The screen says in words which state the campaign is in, how fast it is, and how much time is left.
func TestWhatIsSaid(t *testing.T) {
	for want, view := range map[string]usecase.CampaignsView{
		"all units are finished, desk, process 4711 writes the results": with(busy(), func(c *usecase.Campaign) { c.Done = 998 }),
		"✓ ended: 998 units done, 2 failed": with(busy(), func(c *usecase.Campaign) {
			c.Ended, c.Done = true, 998
		}),
		"✗ cancelled: its results are removed": with(busy(), func(c *usecase.Campaign) { c.Cancelled = true }),
		"its command resumes with --campaign study-1": with(busy(), func(c *usecase.Campaign) {
			c.Life, c.Silent = usecase.Vanished, time.Hour
		}),
		"looking for its coordinator": with(busy(), func(c *usecase.Campaign) { c.Life = usecase.LivenessUnknown }),
		"pace not known yet":          with(busy(), func(c *usecase.Campaign) { c.Rate = 0 }),
		"about 25s left":              with(busy(), func(c *usecase.Campaign) { c.Done, c.Rate = 948, 2 }),
		"12.0 units/min":              with(busy(), func(c *usecase.Campaign) { c.Rate = 0.2 }),
		"more than 1000h left":        with(busy(), func(c *usecase.Campaign) { c.Rate = 1e-9 }),
	} {
		drive(t, "study-1", view).sees(want)
	}
	drive(t, "gone", busy()).sees("Waiting for campaign gone")
}

func TestMouse(t *testing.T) {
	click := func(x, y int) tea.MouseMsg {
		return tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	}
	d := drive(t, "", busy())
	r := d.layout().part[partFailures]
	d.Screen.Update(click(5, r.Y+listTop+1))
	d.sees("▸✗ 93")
	d.Screen.Update(tea.MouseMsg{X: 5, Y: r.Y + 2, Button: tea.MouseButtonWheelUp})
	d.sees("▸✗ 17").press("esc")
	d.Screen.Update(click(5, listTop+1))
	d.sees("▸survey-7")
}

func TestLayout(t *testing.T) {
	for _, width := range []int{40, 60, 80, 120, 200} {
		for _, height := range []int{10, 22, 34, 58} {
			for _, progress := range []bool{false, true} {
				l := newLayout(width, height, partFailures, progress)
				cells := l.head.W*l.head.H + l.tabs.W*l.tabs.H
				for p := range parts {
					if l.part[p].Empty() {
						continue
					}
					cells += l.part[p].W * l.part[p].H
					for q := range p {
						if l.part[p].Meets(l.part[q]) {
							t.Errorf("%dx%d: panes %d and %d overlap", width, height, p, q)
						}
					}
				}
				if cells != width*height {
					t.Errorf("%dx%d, progress %t: %d of %d cells are used", width, height, progress, cells, width*height)
				}
			}
		}
	}
}

func TestTable(t *testing.T) {
	all := table{{title: "a", width: 4}, {title: "b", width: 3, right: true, rank: 1}, {title: "c", width: 3, rank: 2}}
	cells := []cell{{"name", theme.Plain}, {"1", theme.Plain}, {"long text", theme.Plain}}
	for width, want := range map[int]string{20: "name   1 long text", 13: "name   1 lon…", 10: "name   1 ", 6: "name ", 3: "na…"} {
		if got := strings.TrimRight(all.line(width, cells).Text(), " "); got != strings.TrimRight(want, " ") {
			t.Errorf("in %d cells: %q, want %q", width, got, want)
		}
	}
}

// Control characters are removed from texts of the servers, and the picture keeps its size.
func TestHostileTexts(t *testing.T) {
	evil := []string{
		"\x1b]0;owned\x07\x1b[2Jcleared\x1b[31m", "\u202eevil\u2066", strings.Repeat("長", 90), strings.Repeat("x", 100_000),
		"👩\u200d🔬👍🏽", "tab\tnew\nline\r\x00\x7f\u0085", "",
	}
	view := usecase.CampaignsView{Ready: true, Problem: evil[0]}
	for i, e := range evil {
		view.Campaigns = append(view.Campaigns, usecase.Campaign{
			ID: e, Kind: e, Version: e, Coordinator: e, Units: 1 << 62, Done: -1 << 62, Failed: 1 << 62,
			Rate: 1e300, Life: usecase.Liveness(i % 4),
		})
		view.Workers = append(view.Workers, usecase.CampaignWorker{
			ID: e + fmt.Sprint(i), Host: e, Version: e, PID: -i, Jobs: -1, Labels: []string{e, e}, Doing: []string{e, e + "/1", "x/" + e},
			Done: -5, Failed: -5, Rate: -1e300, Error: e, Life: usecase.Liveness(i % 4), Silent: time.Duration(i) * time.Hour,
		})
		view.Failures = append(view.Failures, usecase.UnitFailure{Unit: i, Worker: e, Reason: e + "\n" + e})
		view.Progress = append(view.Progress, usecase.WatchedUnit{Unit: i, UnitProgress: usecase.UnitProgress{
			Name: e, Calls: 1_000_000_000_000, Covered: 1_000_000_000_000, Points: [][2]int{{0, 1_000_000_000_000}},
		}})
	}
	for _, size := range [][2]int{{40, 10}, {80, 22}, {120, 34}, {200, 58}} {
		for i := range evil {
			d := drive(t, "", view).size(size[0], size[1])
			for range i {
				d.press("down")
			}
			for _, k := range strings.Split(",x,esc,enter,enter,esc,v,down,enter,esc,v,down,x,esc,esc", ",") {
				if k != "" {
					d.press(k).look()
				}
				checkPicture(t, d.picture(), size[0], size[1])
				checkPicture(t, draw.FitLines(strings.Join(d.Location(), "\n"), 80, 3), 80, 3)
			}
		}
	}
}

func checkPicture(t *testing.T, picture string, width, height int) {
	t.Helper()
	rows := strings.Split(picture, "\n")
	if len(rows) != height {
		t.Fatalf("%d lines, want %d:\n%q", len(rows), height, picture)
	}
	for _, row := range rows {
		if w := ansi.StringWidth(row); w != width {
			t.Fatalf("%d cells, want %d: %q", w, width, row)
		}
	}
	for _, r := range picture {
		if r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			t.Fatalf("%q reached the terminal:\n%q", r, picture)
		}
	}
}

// With ASCII only, the picture has no other characters.
func TestASCII(t *testing.T) {
	theme.UseASCII(true)
	t.Cleanup(func() { theme.UseASCII(false) })
	for name, state := range states {
		picture := theme.Draw(state(t).size(120, 34).picture())
		if i := strings.IndexFunc(picture, func(r rune) bool { return r > '~' }); i >= 0 {
			t.Errorf("%s: %q", name, picture[i:min(len(picture), i+20)])
		}
	}
}

// No key has two actions, and each has a name and a help text.
func TestKeys(t *testing.T) {
	d := drive(t, "", islands())
	for _, k := range []string{"v", "enter", "esc", "v", "x", "esc", "esc", "down", "x", "esc", "enter"} {
		if all := keys.Conflicts(d.press(k).Screen); len(all) > 0 {
			t.Errorf("after %s: %v", k, all)
		}
	}
	for _, b := range Listed() {
		if b.Help().Key == "" || b.Help().Desc == "" {
			t.Errorf("%v has no name or no help", b.Keys())
		}
	}
	if len(d.Actions()) == 0 || len(d.LegendEntries()) == 0 || d.Name() == "" || d.TabBadge() != "" {
		t.Error("the screen is not described")
	}
}
