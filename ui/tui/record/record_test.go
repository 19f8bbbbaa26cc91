package record

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		w, h, rows int
		focus      part
		foot       bool
		want       layout
	}{
		{
			40, 9, 4, onList, false,
			layout{head: draw.Rect{W: 40, H: 2}, list: draw.Rect{Y: 2, W: 40, H: 7}, figure: draw.Rect{}, message: draw.Rect{}},
		},
		{80, 21, 7, onSide, true, layout{
			head: draw.Rect{W: 80, H: 4}, foot: draw.Rect{Y: 20, W: 80, H: 1}, side: draw.Rect{Y: 4, W: 80, H: 16},
			figure: draw.Rect{Y: 4, W: 80, H: 9}, message: draw.Rect{Y: 13, W: 80, H: 7},
		}},
		{120, 33, 99, onList, false, layout{
			head: draw.Rect{W: 120, H: 4}, list: draw.Rect{Y: 4, W: 45, H: 29}, side: draw.Rect{X: 45, Y: 4, W: 75, H: 29},
			figure: draw.Rect{X: 45, Y: 4, W: 75, H: 17}, message: draw.Rect{X: 45, Y: 21, W: 75, H: 12},
		}},
	} {
		if got := newLayout(c.w, c.h, c.focus, c.foot, false, c.rows); got != c.want {
			t.Errorf("%d×%d, focus %d: got %+v, want %+v", c.w, c.h, c.focus, got, c.want)
		}
	}
}

// On an empty screen, the user types the address, and the recording starts.
func TestStart(t *testing.T) {
	d := drive(t, demo).size(200, 40).sees(
		"In a shell: sonde record --spec shop.yaml --in 127.0.0.1:8000=http://127.0.0.1:41873 -o recording",
	)
	d.press("down", "down", "e").types("127.0.0.1:9001=http://pay:80 127.0.0.1:9002=tcp://stock:7000").press("enter")
	d.press("down", "right", "down", "e").types("key:sku -email").press("enter")
	d.press("down", "e", "ctrl+u").types("none").press("enter").sees(`"none" is not a number from 1`)
	d.press("ctrl+u").types("2").press("enter")
	d.press("down", "e", "ctrl+u").types("shop-rec").press("enter")
	d.sees(
		"--out 127.0.0.1:9001=http://pay:80 --out 127.0.0.1:9002=tcp://stock:7000 --serial", "--mask key:sku",
		"-email --first 2", "-o",
	).press("s")
	want := usecase.RecordSettings{
		In:     []usecase.ProxyRoute{{Addr: "127.0.0.1:8000", URL: demo.URL}},
		Out:    []usecase.ProxyRoute{{Addr: "127.0.0.1:9001", URL: "http://pay:80"}, {Addr: "127.0.0.1:9002", URL: "tcp://stock:7000"}},
		Serial: true,
		Masks:  []string{"key:sku", "-email"},
		First:  2,
		Folder: "shop-rec",
	}
	if !reflect.DeepEqual(d.watches, []usecase.RecordSettings{want}) {
		t.Fatalf("started %+v, want %+v", d.watches, want)
	}
	d.sees("● live", "17 exchanges", "3 in progress", "48.2/s", "1.2 MB")
	if live := d.screen.TabBadge(); live != "● 17" || d.screen.UnfinishedWork() == "" {
		t.Errorf("the tab says %q, and of quitting %q", live, d.screen.UnfinishedWork())
	}
}

func TestStartFails(t *testing.T) {
	d := drive(t, demo).press("down", "enter").types(" nonsense").press("enter").sees(`"nonsense" is not ADDR=URL: write it as in`)
	d.press("esc").misses("nonsense")
	d.started = nil
	d.press("s").sees("nothing listens on 127.0.0.1:41873: start the service first", "s record")
	d.press("home").sees("▸ Start", "⏎ record")
	d.press("o").types("gone").press("enter").sees(`"gone" is not a recording`)
}

// A click on a value of the form changes it, and a click on Start starts the recording.
func TestMouseOnTheForm(t *testing.T) {
	d := drive(t, demo)
	click := func(text string) {
		t.Helper()
		for y, line := range strings.Split(ansi.Strip(d.screen.View(d.screen.width, d.screen.height)), "\n") {
			if before, _, found := strings.Cut(line, text); found {
				d.send(tea.MouseMsg{X: len([]rune(before)), Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
				return
			}
		}
		t.Fatalf("%q is not on the screen", text)
	}
	click("off")
	if d.sees("serial    on"); d.screen.Typing() {
		t.Error("a click on a switch opens a text field")
	}
	click("masks")
	d.sees("▸ masks")
	click("call then") // the help of a switch
	click("all   ")
	if !d.screen.Typing() {
		t.Error("a click on a value opens no text field")
	}
	d.press("esc")
	if click("Start "); len(d.watches) != 1 || !d.watches[0].Serial {
		t.Errorf("started %+v, want one recording", d.watches)
	}
}

// An old recording is replaced only if the user confirms it.
func TestReplaceARecording(t *testing.T) {
	way := []string{"end", "e", "ctrl+u"}
	d := drive(t, demo).press(way...).types("taken").press("enter", "s").sees(
		"Replace the recording?", "There is a recording in taken already.",
	)
	d.press("esc").sees("s record").press("s", "W").sees("● live")
	if len(d.watches) != 3 || !d.watches[2].Force {
		t.Errorf("started %+v", d.watches)
	}
}

// During a recording the list grows, and the cursor stays on its line.
func TestLive(t *testing.T) {
	d := drive(t, demo).press("enter").press("end", "up", "up").sees("▸   ✗ 502")
	more := d.started.traffic
	more.Served = append(slices.Clone(more.Served), served(99, 900, "DELETE /orders/{orderId}", "/orders/7", 204))
	more.Served = slices.Insert(more.Served, 0, served(98, 0, "GET /products", "/products", 500))
	d.started.traffic = more
	d.later().sees("▸   ✗ 502", "19 exchanges", "DELETE …/{orderId}")
	d.press("x").sees("■ ended")
	if !d.started.stopped || !strings.Contains(d.message, "19 exchanges recorded in recording") || d.screen.UnfinishedWork() != "" {
		t.Errorf("said %q, of quitting %q", d.message, d.screen.UnfinishedWork())
	}
	d.later()
	if len(d.ticks) != 0 {
		t.Error("it still looks at a recording that is over")
	}
	d.press("n").sees("⏎ record").press("esc").sees("■ ended")
}

// For a recording that ends by itself, the screen shows the reason.
func TestEndsByItself(t *testing.T) {
	d := drive(t, demo).press("enter")
	d.started.traffic.Done, d.started.traffic.Err = true, errors.New("the disk is full")
	d.later().sees("■ ended", "✗ the disk is full")
}

// A recording from the command line is opened, and the app starts with this screen.
func TestOpenedWithTheApp(t *testing.T) {
	host := demo
	host.Recording = "rec"
	d := drive(t, host).sees("Recorded · rec", "17 exchanges")
	if len(d.shown) != 1 || d.shown[0].Tab != screen.TabRecord {
		t.Errorf("shown %+v", d.shown)
	}
	d.send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: spec()}})
	if len(d.shown) != 1 {
		t.Error("to read the spec again brought the screen to the front")
	}
	d.press("o").types("elsewhere").press("enter").sees("not a recording").press("esc").sees("17 exchanges")
}

// One exchange of each shape is listed, with the number of exchanges with this shape.
func TestGroups(t *testing.T) {
	d := recorded(t).sees("Operations 3 of 4 seen", "×12", "▾ not in the document")
	if n := len(d.screen.exchanges.shown); n != 9 {
		t.Errorf("%d lines, want 9", n)
	}
	d.press("f")
	if n := len(d.screen.exchanges.shown); n != 21 {
		t.Errorf("%d lines of every exchange, want 21", n)
	}
	d.press("f", "home", "enter").sees("▸▸ GET /products")
	if n := len(d.screen.exchanges.shown); n != 8 {
		t.Errorf("%d lines with one operation closed, want 8", n)
	}
	d.press("enter", "down").sees("▸   ✓ 200")
}

func TestFilter(t *testing.T) {
	for filter, want := range map[string]int{
		"payments":                  3,
		"5xx":                       2,
		"502":                       2,
		"!payments":                 6,
		"stock":                     4,
		"orders !5xx":               4,
		"favicon":                   2,
		"xyzzy":                     0,
		"status:502":                2,
		"host:payments":             3,
		"!host:payments status:2xx": 4,
	} {
		d := recorded(t).press("/").types(filter).press("enter")
		if n := len(d.screen.exchanges.shown); n != want {
			t.Errorf("%q lists %d lines, want %d\n%s", filter, n, want, d.view())
		}
		d.press("esc")
		if len(d.screen.exchanges.shown) != 9 {
			t.Errorf("without %q there are %d lines", filter, len(d.screen.exchanges.shown))
		}
	}
}

// Space picks the exchange under the cursor. On the line of an operation, it picks all exchanges of the operation.
// The key A picks all exchanges. If all exchanges are picked, A unpicks all of them.
func TestPick(t *testing.T) {
	d := toPayment(t)
	for _, c := range []struct {
		keys []string
		want int
	}{
		{[]string{" "}, 1},
		{[]string{" "}, 0},
		{[]string{"up", " "}, 2},
		{[]string{"A"}, 5},
		{[]string{"A"}, 0},
		{[]string{"f", "home", " "}, 12},
		{[]string{"f"}, 12},
	} {
		d.press(c.keys...)
		if len(d.screen.exchanges.store.picks()) != c.want {
			t.Errorf("after %q %d are picked, want %d", c.keys, len(d.screen.exchanges.store.picks()), c.want)
		}
	}
	d.sees("12 picked", "✓ ✓ 200") // picked exchanges are listed even if they have the same shape
}

// The figure has a message for each outward call. The marked message is shown in full.
func TestExchange(t *testing.T) {
	d := toPayment(t).sees("┠─ POST /charge", "linked by trace 3").press("enter").sees("Request and answer", `"card": "4111-xxxx"`)
	d.press("down").sees("Outward call 1 of 3 · payments.example", "called as 127.0.0.1:9001", `"ok": true`)
	d.press("down").sees("Outward call 2 of 3 · stock.example:7000", "TAKE 4711")
	d.press("end").sees("Outward call 3 of 3", "sent 15 bytes")
	d.press("home").sees("Request and answer").press("esc").press("down").sees("? POST /charge", "trace 1, time 1?")
	d.press("enter", "end").sees("It is not certain that this request is the cause")
}

// The preview has tests for the picked exchanges or, if there are none, for the exchange under the cursor.
// The tests have the oracles that are switched on.
func TestPreview(t *testing.T) {
	d := toPayment(t).press("p").sees("func Test_00000000000000000000000000000015_OO(", "_PO(", "_CO(", "O ✓ output", "1 exchange")
	d.press("O", "C").misses("_OO(", "_CO(").sees("_PO(", "O · output")
	d.press("P")
	if d.message != "A test without an oracle finds nothing: one oracle stays on" {
		t.Errorf("said %q", d.message)
	}
	d.press("t").sees("t together")
	if last := d.requests[len(d.requests)-1]; !last.OneFunction || !slices.Equal(last.Oracles, []model.MockOracle{model.ParameterOracle}) {
		t.Errorf("asked for %+v", last)
	}
	d.press("down").sees("Test_00000000000000000000000000000017_PO(").press("A").sees("5 exchanges")
	d.press("A", "end").sees("no test was generated: the document has no such operation")
	d.press("p").sees("Request and answer")
}

// The preview is not made again if nothing has changed.
func TestPreviewIsMadeOnce(t *testing.T) {
	d := toPayment(t).press("p")
	n := len(d.requests)
	d.press("v", "down", "up", "right", "v").size(130, 40)
	if len(d.requests) != n {
		t.Errorf("tests were made %d times more", len(d.requests)-n)
	}
}

func TestKeep(t *testing.T) {
	d := recorded(t).press("A", "a")
	if len(d.keptTests) != 4 || d.keptTests[0].Origin != model.OriginRecorded ||
		!strings.Contains(d.message, "4 tests kept, and picked: 4 lists them, 6 writes them; none from 1") {
		t.Errorf("kept %d, said %q", len(d.keptTests), d.message)
	}
	d.press("A", "end", "a")
	if len(d.keptTests) != 4 || d.message != "✗ no test was generated: the document has no such operation" {
		t.Errorf("kept %d, said %q", len(d.keptTests), d.message)
	}
}

// The user types the folder for the tests. Old tests are replaced only after the user confirms it. The
// tests can then be played.
func TestGenerate(t *testing.T) {
	d := toPayment(t).press("g").sees("folder of the tests  sonde-tests").press("ctrl+u").types("out").press("enter")
	d.sees("✓ out/sonde_test.go", "m mimic report")
	d.exists = true
	d.press("g", "enter").sees("Replace the tests?").press("esc").press("g", "enter", "W")
	if want := []string{"out 1 [oo po co] false", "out 1 [oo po co] true"}; !slices.Equal(d.written, want) {
		t.Errorf("wrote %q, want %q", d.written, want)
	}
	d.press("m").sees(
		"Mimic report", "successfully mimics  1",
	).press("m").misses("Mimic report").press("m").sees("Mimic report").press("esc").misses("Mimic report").press("m")
	d.breaks = true
	d.press("g", "enter", "W", "m").sees("✗ the tests do not run: nothing listens there")
	d.written = d.written[:2]
	d.press("g", "esc")
	if len(d.written) != 2 {
		t.Errorf("wrote %q", d.written)
	}
}

// For an inactive key, the reason is shown.
func TestReasons(t *testing.T) {
	for name, c := range map[string]struct {
		start *driver
		key   string
		want  string
	}{
		"no preview": {start: toPayment(t), key: "O", want: "needs the preview of a test"},
		"no tests":   {start: toPayment(t), key: "m", want: "no tests were generated yet"},
		"no match":   {start: recorded(t).press("/").types("zzz").press("enter"), key: "p", want: "no exchange is listed"},
		"ended":      {start: recorded(t), key: "x", want: "no recording is running"},
		"running":    {start: drive(t, demo).press("enter"), key: "n", want: "a recording is running"},
	} {
		if c.start.press(c.key); c.start.message != c.want {
			t.Errorf("%s: %q says %q, want %q", name, c.key, c.start.message, c.want)
		}
	}
}

func TestWarnings(t *testing.T) {
	recorded(t).press("w").sees("1 warning", "a WebSocket to /live was passed through").press("w").misses("WebSocket")
}

func TestMouse(t *testing.T) {
	click := tea.MouseMsg{X: 10, Y: 11, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	d := recorded(t).send(click).sees("┠─ POST /charge")
	click.X = 3
	d.send(click)
	if len(d.screen.exchanges.store.picks()) != 1 {
		t.Errorf("%d are picked", len(d.screen.exchanges.store.picks()))
	}
	click.X, click.Y = 80, 8
	d.send(click).sees("Outward call 2 of 3")
	d.send(tea.MouseMsg{X: 10, Y: 13, Button: tea.MouseButtonWheelDown}).sees("▸   △ 404")
	recorded(t).send(tea.MouseMsg{X: 3, Y: 6, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).sees("▸▸ GET /products")
}

// For any recording and after any keys, clicks and sizes, the view has its exact size and no control
// characters.
func TestPictureIsWhole(t *testing.T) {
	pressable := append(
		strings.Split("oenxsp OPCtagmwfvA/?W", ""), "up", "down", "left", "right", "enter", "esc", "pgup",
		"pgdown", "home", "end",
	)
	rapid.Check(t, func(r *rapid.T) {
		d := drive(t, demo)
		d.disk = []model.Recording{day(), hostile(), many(40), {}}[rapid.IntRange(0, 3).Draw(r, "recording")]
		d.press("o").types("rec").press("enter")
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			switch rapid.IntRange(0, 5).Draw(r, "what") {
			case 0:
				d.size(rapid.IntRange(1, 220).Draw(r, "width"), rapid.IntRange(1, 70).Draw(r, "height"))
			case 1:
				d.send(tea.MouseMsg{
					X: rapid.IntRange(0, d.screen.width).Draw(r, "x"), Y: rapid.IntRange(0, d.screen.height).Draw(r, "y"),
					Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelDown}).Draw(r, "button"),
				})
			default:
				d.press(rapid.SampledFrom(pressable).Draw(r, "key"))
			}
			fitting(r, d)
			if all := keys.Conflicts(d.screen); len(all) > 0 {
				r.Fatal(all)
			}
		}
	})
}

func fitting(t *rapid.T, d *driver) {
	w, h := d.screen.width, d.screen.height
	if w < 40 || h < 9 {
		return // the app draws no screen of this size
	}
	rows := strings.Split(d.screen.View(w, h), "\n")
	if len(rows) != h {
		t.Fatalf("%d lines of %d", len(rows), h)
	}
	for _, row := range rows {
		if ansi.StringWidth(row) != w {
			t.Fatalf("%d cells of %d: %q", ansi.StringWidth(row), w, row)
		}
		if strings.ContainsAny(row, "\x1b\x07\u009b\u202e\x00") {
			t.Fatalf("it steers the terminal: %q", row)
		}
	}
}

// The list has the same names of operations as other screens.
func TestNamesOfOperations(t *testing.T) {
	d := recorded(t).sees("POST /orders")
	named := &model.Spec{Operations: []*model.Operation{{ID: "POST /orders", Method: "POST", Path: "/orders", Name: "createOrder"}}}
	names := draw.NewSeqNames(named.Operations)
	d.send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: spec(), Names: names}})
	names.Use(draw.ByOperationID)
	d.sees("POST createOrder")
}
