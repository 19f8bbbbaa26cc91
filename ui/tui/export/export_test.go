package export

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	view := d.screen.View(d.screen.width, d.screen.height)
	for _, want := range texts {
		if !strings.Contains(view, want) {
			d.t.Errorf("%q is not in\n%s", want, view)
		}
	}
	return d
}

func (d *driver) wrote(want ...string) *driver {
	d.t.Helper()
	if !slices.Equal(d.writes, want) {
		d.t.Errorf("writes: %q, want %q", d.writes, want)
	}
	return d
}

func TestNothingPicked(t *testing.T) {
	d := drive(t, demo).sees("Nothing picked yet. 4 shows the seqs;", "sonde-tests")
	d.press("w", "r", "enter", "down").wrote()
	if len(d.previews)+len(d.runs) != 0 || d.screen.TabBadge() != "" {
		t.Errorf("without picks: previews %q, runs %v, live %q", d.previews, d.runs, d.screen.TabBadge())
	}
}

func TestPreview(t *testing.T) {
	d := drive(t, demo).pick(carts, health)
	d.sees("Picked 2", "✓ TestCase1_t1", "✓ TestCase2_t2", `call(t, "POST /carts").want(201)`, "w writes 2 tests")
	if want := []string{"t1 t2"}; !slices.Equal(d.previews, want) {
		t.Errorf("previews of %q, want %q", d.previews, want)
	}
	if got := d.screen.TabBadge(); got != "2" {
		t.Errorf("live: got %q, want 2", got)
	}
	d.pick().sees("Nothing picked", "no test yet")
	d.pick(kept("bad", "GET /health")).sees("✗ test \"bad\" cannot be exported: link 0", "✓ GET health")
}

func TestPreviewWaitsUntilItIsShown(t *testing.T) {
	d := drive(t, demo).send(screen.Shown{Tab: screen.TabSeqs}).pick(carts).pick(carts, health)
	if len(d.previews) != 0 {
		t.Errorf("previews of %q while another screen is on show", d.previews)
	}
	d.send(screen.Shown{Tab: screen.TabExport})
	if want := []string{"t1 t2"}; !slices.Equal(d.previews, want) {
		t.Errorf("previews of %q, want %q", d.previews, want)
	}
}

func TestStalePreviewsAreDropped(t *testing.T) {
	d := drive(t, demo)
	d.hold = true
	d.pick(carts).sees("writing it …").pick(health)
	slices.Reverse(d.held) // the older answer arrives last
	d.release().sees("TestCase1_t2")
	if view := d.screen.View(120, 33); strings.Contains(view, "TestCase1_t1") {
		t.Error("the answer to an older request is shown")
	}
}

// Go's names may have letters and digits of any script.
func TestFunctionsOfAnyScript(t *testing.T) {
	f := widget.NewGoSource("package p\n\nfunc TestGetBücher٣(t *testing.T) {\n}\n\nfunc Test購入_2(t *testing.T) {\n}\n")
	got := functions(f, make([]model.Test, 2), []int{4, 7})
	if got[4].name != "TestGetBücher٣" || got[7].name != "Test購入_2" {
		t.Errorf("got %+v, want both functions", got)
	}
}

func TestListLeadsThePreview(t *testing.T) {
	var items []screen.SeqItem
	for i := range 30 {
		items = append(items, kept(fmt.Sprintf("t%d", i), "GET /health", "GET /health"))
	}
	d := drive(t, demo).pick(items...).press("end")
	d.sees("▎func TestCase30_t29", "30 of 30")
	d.press("home").sees("▎func TestCase1_t0")
	d.press("v", "end").sees("func TestCase30_t29")
	d.press("pgup", "up", "home").sees("package apitest")
	d.press("right").sees("testing\"").press("left").sees("import \"testing\"")
	d.press("esc", "down").sees("▎func TestCase2_t1")
}

func TestWrite(t *testing.T) {
	d := drive(t, demo).pick(carts, health).press("w")
	d.wrote("sonde-tests t1 t2 false").sees("✓ written: go test ./sonde-tests/sonde_test.go")
	if want := []string{"Wrote sonde-tests/sonde_test.go"}; !slices.Equal(d.messages, want) {
		t.Errorf("said %q, want %q", d.messages, want)
	}
	d.pick(carts)
	if view := d.screen.View(120, 33); strings.Contains(view, "written") {
		t.Error("other picks still count as written")
	}
}

// A seq without values is run before the file is written. A seq that failed is not run again.
func TestWriteRunsFirst(t *testing.T) {
	d := drive(t, demo).pick(carts, orders, stock).sees("r runs them on http://127.0.0.1:41873, w also writes them")
	d.hold = true
	d.press("w").wrote().sees("running seq 1 of 2, then writing")
	d.release().wrote("sonde-tests t1 d1 false").sees("✓ written")
	d.press("w").wrote("sonde-tests t1 d1 false", "sonde-tests t1 d1 false")
	if len(d.runs) != 2 {
		t.Errorf("ran %v, want each seq once", d.runs)
	}
}

// If running seqs was stopped or refused, the file is not written afterwards. During a search, no seqs are
// run.
func TestWriteThatIsStopped(t *testing.T) {
	d := drive(t, demo).pick(orders)
	d.hold = true
	d.press("w", "esc").release()
	d.press("r").wrote()
	if len(d.runs) != 2 {
		t.Errorf("ran %v", d.runs)
	}
	far := drive(t, screen.Service{URL: "https://api.example.com", Remote: true}).pick(orders).press("w", "n", "r", "y").wrote()
	if len(far.runs) != 1 {
		t.Errorf("ran %v on a remote host", far.runs)
	}
	busy := drive(t, demo).pick(carts, orders).send(screen.RunStarting(true)).press("w").wrote("sonde-tests t1 false")
	busy.pick(orders).press("w")
	if len(busy.runs) != 0 || len(busy.messages) != 2 {
		t.Errorf("during a search: ran %v, said %q", busy.runs, busy.messages)
	}
}

func TestFolder(t *testing.T) {
	d := drive(t, demo).pick(carts).press("f", "/", "w", "q")
	if !d.screen.Typing() {
		t.Fatal("f opens no text field")
	}
	d.press("enter", "w").wrote("sonde-tests/wq t1 false").sees("go test ./sonde-tests/wq/sonde_test.go")
	d.press("f", "x", "esc", "w").wrote("sonde-tests/wq t1 false", "sonde-tests/wq t1 false")
	d.press("f")
	for range 20 {
		d.press("backspace")
	}
	d.press("enter").sees("sonde-tests/wq")
}

func TestOverwriteIsAskedAbout(t *testing.T) {
	d := drive(t, demo).pick(carts)
	d.writeErr = fmt.Errorf("it is there: %w", fs.ErrExist)
	d.hold = true
	d.press("w").release() // delivers the result of writing, then the end of the question's pause
	d.sees("Replace the tests?", "There are tests in sonde-tests already.")
	d.press("esc").wrote("sonde-tests t1 false")
	d.press("w", "W").wrote("sonde-tests t1 false", "sonde-tests t1 false", "sonde-tests t1 true").sees("✓ written")

	deaf := drive(t, demo).pick(carts)
	deaf.writeErr, deaf.hold = d.writeErr, true
	deaf.press("w")
	deaf.send(deaf.held[0]) // opens the question, whose pause has not ended
	deaf.press("y", "W").wrote("sonde-tests t1 false")
}

// The question whether to replace a file is dropped if the user chooses another folder in the meantime.
func TestAnswersForAnotherFolderAreDropped(t *testing.T) {
	d := drive(t, demo).pick(carts)
	d.writeErr = fmt.Errorf("write: %w", fs.ErrExist)
	d.hold = true
	d.press("w", "f", "x", "enter").release()
	if d.screen.question.Open() {
		t.Error("asks about a folder that is no longer chosen")
	}
	d.press("w")
	d.screen.destination.folder = "elsewhere" // the folder changes while the question is open
	d.press("y").wrote("sonde-tests t1 false", "sonde-testsx t1 false", "sonde-testsx t1 true")
}

func TestWriteFails(t *testing.T) {
	d := drive(t, demo).pick(carts)
	d.writeErr = errors.New("no folder \"sonde-tests\":\x1b[2J permission denied")
	d.press("w").sees(`✗ no folder "sonde-tests": permission denied`)
}

func TestRealise(t *testing.T) {
	d := drive(t, demo).pick(carts, orders, stock).sees(
		"2 seqs have no values yet: r runs them on http://127.0.0.1:41873", "· POST orders › GET orders/{}",
	)
	d.hold = true
	d.press("r").sees("running seq 1 of 2")
	d.release().sees("✗ d2: no 2xx from \"GET /stock/{sku}\"", "✓ TestCase2_d1", "✗ GET stock/{} › PUT stock/{}", "1 seq has no values yet")
	if want := []model.Seq{orders.Seq, stock.Seq}; !reflect.DeepEqual(d.runs, want) {
		t.Errorf("ran %v, want %v", d.runs, want)
	}
	d.press("w").wrote("sonde-tests t1 d1 false")
	d.pick(orders).sees("✓ TestCase1_d1") // the values are kept
	d.send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: &model.Spec{}}}).pick(orders).sees("1 seq has no values yet")
}

// Reloading the same document keeps the values. Another document clears them.
func TestReadingAgain(t *testing.T) {
	read := func(hash string) screen.SpecOpened {
		return screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: &model.Spec{Hash: hash}}}
	}
	for hash, want := range map[string]int{"a": 0, "b": 1} {
		d := drive(t, demo).send(read("a")).pick(orders).press("r").send(read(hash))
		if got := len(d.screen.picks.toRun()); got != want {
			t.Errorf("hash %s: %d seqs without values, want %d", hash, got, want)
		}
	}
}

func TestRealiseStops(t *testing.T) {
	d := drive(t, demo).pick(orders, stock)
	d.hold = true
	d.press("r", "esc").release()
	d.sees("2 seqs have no values yet")
	if len(d.runs) != 1 {
		t.Errorf("%d seqs were run after esc, want the first only", len(d.runs))
	}
	d.press("r").sees("✓ TestCase1_d1")
}

// During a search, the key r finds no values, because running seqs would reset the service that the search tests.
func TestRealiseWaitsForTheSearch(t *testing.T) {
	phase := func(p model.RunPhase) tea.Msg { return screen.RunProgress{Snapshot: model.Snapshot{Phase: p}} }
	for _, c := range []struct {
		state tea.Msg
		runs  int
	}{
		{phase(model.PhaseRunning), 0},
		{phase(model.PhasePaused), 0},
		{screen.RunStarting(true), 0},
		{screen.RunStarting(false), 1},
		{phase(model.PhaseDone), 1},
	} {
		d := drive(t, demo).pick(orders).send(c.state).press("r")
		if len(d.runs) != c.runs || (len(d.messages) == 0) != (c.runs == 1) {
			t.Errorf("%+v: %d seqs ran, want %d; said %q", c.state, len(d.runs), c.runs, d.messages)
		}
	}
	remote := screen.Service{URL: "https://api.example.com", Remote: true}
	d := drive(t, remote).pick(orders).press("r").send(phase(model.PhaseRunning)).press("y")
	if len(d.runs) != 0 {
		t.Error("a seq ran though a search had begun while it was asked")
	}
}

func TestRealiseWithoutHost(t *testing.T) {
	d := drive(t, screen.Service{}).pick(orders).sees("start Sonde with --url").press("r")
	if len(d.runs) != 0 {
		t.Error("a seq was run without a service")
	}
}

func TestRealiseAsksAboutRemoteHosts(t *testing.T) {
	host := screen.Service{URL: "https://api.example.com", Remote: true}
	d := drive(t, host).pick(orders).press("r").sees("Sonde will run 1 seq on", "api.example.com").press("n")
	if len(d.runs) != 0 {
		t.Fatal("a seq was run on a remote host without permission")
	}
	d.press("r", "y")
	if len(d.runs) != 1 || d.allowed != 1 {
		t.Errorf("after y: %d runs, told %d times", len(d.runs), d.allowed)
	}
	d = drive(t, host).send(widget.HostAllowed{URL: host.URL}).pick(orders).press("r")
	if len(d.runs) != 1 {
		t.Error("asks again though another screen has asked")
	}
}

// While the question is open, the picks change so that nothing is left to run. The answer y then runs nothing.
func TestRealiseWithNothingLeftToRun(t *testing.T) {
	remote := screen.Service{URL: "https://api.example.com", Remote: true}
	d := drive(t, remote).pick(orders).press("r").send(screen.PicksChanged{}).press("y")
	if len(d.runs) != 0 {
		t.Errorf("ran %v", d.runs)
	}
}

func TestGoTest(t *testing.T) {
	for path, want := range map[string]string{
		"sonde-tests/sonde_test.go": "go test ./sonde-tests/sonde_test.go",
		"./a/sonde_test.go":         "go test ./a/sonde_test.go",
		"../a/sonde_test.go":        "go test ../a/sonde_test.go",
		"/tmp/a/sonde_test.go":      "go test /tmp/a/sonde_test.go",
		"my tests/it's_test.go":     `go test './my tests/it'\''s_test.go'`,
	} {
		if got := runCommand(goFormat, path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
}

func TestCursorStaysOnItsItem(t *testing.T) {
	d := drive(t, demo).pick(carts, health).press("down").pick(orders, carts, health)
	if got := d.screen.picks.items[d.screen.picks.list.At].ID; got != "t2" {
		t.Errorf("the cursor is on %s, want t2", got)
	}
	d.pick(orders)
	if got := d.screen.picks.list.At; got != 0 {
		t.Errorf("the cursor is on row %d, want 0", got)
	}
}

func TestMouse(t *testing.T) {
	d := drive(t, demo).pick(carts, health, orders)
	click := tea.MouseMsg{X: 5, Y: 2, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	d.send(click)
	if got := d.screen.picks.list.At; got != 1 {
		t.Errorf("a click chose row %d, want 1", got)
	}
	d.size(120, 12).send(tea.MouseMsg{X: 80, Y: 3, Button: tea.MouseButtonWheelDown})
	if got := d.screen.preview.Scroll.At; got == 0 {
		t.Error("the wheel does not scroll the preview")
	}
	click.X = 80
	d.send(click)
	if !d.screen.previewFocused {
		t.Error("a click on the preview does not give it the focus")
	}
}

// Each visible key has an effect.
func TestShownKeysAct(t *testing.T) {
	for name, begin := range map[string]func() *driver{
		"empty": func() *driver { return drive(t, demo) },
		"list":  func() *driver { return drive(t, demo).pick(carts, health, orders).press("down") },
		"preview": func() *driver {
			return drive(t, demo).pick(carts, health, orders).size(60, 14).press("v", "down", "right")
		},
		"typing": func() *driver { return drive(t, demo).press("f") },
		"running": func() *driver {
			d := drive(t, demo).pick(carts, orders, stock).press("down")
			d.hold = true
			return d.press("r")
		},
		"remote": func() *driver {
			return drive(t, screen.Service{URL: "https://x.example", Remote: true}).pick(orders).press("r")
		},
	} {
		for _, b := range begin().screen.Keys() {
			for _, k := range b.Keys() {
				d := begin()
				before := *d.screen
				view := before.View(before.width, before.height)
				writes, runs := len(d.writes), len(d.runs)
				d.press(k)
				after := d.screen.View(before.width, before.height)
				if view == after && len(d.writes) == writes && len(d.runs) == runs && before.previewFocused == d.screen.previewFocused {
					t.Errorf("%s: %q (%s) does nothing", name, k, b.Help().Desc)
				}
			}
		}
	}
}

// In an exported test, the stubs that the user added come before the test's own stubs. The test in the run stays as
// it was.
func TestStubsThatWerePutThere(t *testing.T) {
	item := kept("t9", "POST /orders")
	item.Test.Stubs = []model.Stub{{Host: "own.example:80"}}
	item.Stubs = []model.Stub{{Host: "put.example:80"}}
	tests, _ := drive(t, demo).pick(item).screen.picks.tests()
	if got := tests[0].Stubs; len(got) != 2 || got[0].Host != "put.example:80" ||
		got[1].Host != "own.example:80" || len(item.Test.Stubs) != 1 {
		t.Errorf("stubs %+v", got)
	}
}

var goFormat = usecase.TestFormat{Name: "go", File: "sonde_test.go", Run: "go test"}

// The file has fewer functions than there are tests, because a test that shows a fault is left out. The comments of
// the functions then say to which tests they belong.
func TestFunctionsByTheirComments(t *testing.T) {
	f := widget.NewGoSource("package p\n\n// Test t2: GET /b\nfunc TestB_200(t *testing.T) {\n}\n")
	got := functions(f, []model.Test{{ID: "t1"}, {ID: "t2"}}, []int{4, 7})
	if len(got) != 1 || got[7].name != "TestB_200" {
		t.Errorf("got %+v, want the function of t2", got)
	}
}

// F changes the fault mode of the preview and of the files.
func TestFaultModes(t *testing.T) {
	d := drive(t, demo)
	d.screen.destination.faultModes = []string{"fail", "pin", "skip"}
	d.pick(carts).sees("faults  fail   F").press("w").wrote("sonde-tests t1 false")
	d.press("F").sees("faults  pin").press("w").wrote("sonde-tests t1 false", "sonde-tests t1 false pin")
	d.size(60, 21).sees("faults  pin   F").size(120, 33)
	d.press("F", "F").sees("faults  fail")
	if len(d.previews) != 4 {
		t.Errorf("previews of %q, want one for each mode", d.previews)
	}
}

// A picked test that depends on earlier state is left out, and the screen says so.
func TestTestsOfEarlierStateAreLeftOut(t *testing.T) {
	unsound := carts
	test := *carts.Test
	test.ID, test.EarlierState = "t9", "it was not played again"
	unsound.ID, unsound.Test = "t9", &test
	d := drive(t, demo).pick(carts, unsound).press("w")
	if got := ids(d.tests); got != "t1" {
		t.Errorf("previewed %q, want t1 alone", got)
	}
	d.sees("1 test left out: dependent on earlier state")
}

// In production, the user is asked each time that seqs are run, and the service of another environment is used after a
// switch.
func TestRealiseInProduction(t *testing.T) {
	host := screen.Service{URL: "http://127.0.0.1:1", Environment: "eu", Production: true}
	d := drive(t, host).send(widget.HostAllowed{URL: host.URL}).pick(orders).press("r").sees("Write to production?", "production (eu)")
	if d.press("n"); len(d.runs) != 0 {
		t.Fatal("a seq was run without permission")
	}
	if d.press("r", "y"); len(d.runs) != 1 {
		t.Errorf("after y: %d runs", len(d.runs))
	}
	d = drive(t, host).pick(orders)
	d.send(screen.ServiceChanged{Service: screen.Service{URL: "http://127.0.0.1:2"}}).sees("runs them on http://127.0.0.1:2").press("r")
	if len(d.runs) != 1 {
		t.Errorf("%d runs on another service", len(d.runs))
	}
}
