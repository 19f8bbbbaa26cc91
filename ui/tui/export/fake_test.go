package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

// driver takes the place of the app and the engine. It runs the screen's Cmds and sends their messages
// back, unless hold is set.
type driver struct {
	t      *testing.T
	screen *Screen
	hold   bool // messages are stored in held
	held   []tea.Msg

	previews []string     // the tests of each preview
	tests    []model.Test // the tests of the last preview
	writes   []string
	writeErr error
	runs     []model.Seq

	comparisons int
	around      []usecase.Surroundings // the surroundings of each run
	messages    []string
	allowed     int
}

var demo = screen.Service{Name: "demo", URL: "http://127.0.0.1:41873"}

func drive(t *testing.T, host screen.Service) *driver {
	d := &driver{t: t}
	d.screen = New(screen.Engine{
		TestFiles: usecase.TestFiles{Preview: d.preview, Compare: d.compare, Write: d.write},
		Seqs:      usecase.SeqCalls{Realise: d.realise, Replay: d.replay},
	}, host)
	d.screen.question.Pause = time.Nanosecond
	return d.size(120, 33).send(screen.Shown{Tab: screen.TabExport})
}

func ids(tests []model.Test) string {
	var out []string
	for _, t := range tests {
		out = append(out, t.ID)
	}
	return strings.Join(out, " ")
}

func (d *driver) preview(format, _ string, tests []model.Test) (string, error) {
	d.previews, d.tests = append(d.previews, ids(tests)), tests
	if tests[0].ID == "bad" {
		return "", errors.New("test \"bad\" cannot be exported:\x1b[31m link 0 goes nowhere")
	}
	switch format {
	case "pytest":
		return "# Calls Gear shop.\n\n# sonde:begin CreateCart_1\n# sonde:end CreateCart_1\n\n" +
			"# sonde:begin GetHealth_2\n# sonde:end GetHealth_2\n", nil
	case "har":
		return "{}\n", nil
	}
	var b strings.Builder
	b.WriteString("// Package apitest calls Gear shop.\npackage apitest\n\nimport \"testing\"\n")
	for i, t := range tests {
		fmt.Fprintf(&b, "\n// %s\nfunc TestCase%d_%s(t *testing.T) {\n", t.Calls[0].Op, i+1, t.ID)
		for _, c := range t.Calls {
			fmt.Fprintf(
				&b,
				"\tcall(t, %q).want(%d) // a line that is long enough to be cut at the right edge of the preview\n",
				c.Op, c.Status,
			)
		}
		b.WriteString("}\n")
	}
	return b.String(), nil
}

// compare says that hurl leaves out one test, and har all of them.
func (d *driver) compare(_ string, tests []model.Test) []usecase.FormatFit {
	d.comparisons++
	return []usecase.FormatFit{
		{Format: "go"},
		{Format: "hurl", LeftOut: 1, Omissions: []string{"Left out: GetHealth_2, because Hurl cannot ask for something of each item."}},
		{Format: "har", LeftOut: len(tests), Omissions: []string{"no test can be written in this format: a HAR has no binary bodies"}},
		{Format: "curl"},
	}
}

func (d *driver) write(format, faults, dir string, tests []model.Test, force bool) (string, error) {
	file := map[string]string{"pytest": "test_sonde.py", "har": "sonde.har"}[format]
	d.writes = append(
		d.writes,
		strings.TrimPrefix(
			strings.TrimRight(fmt.Sprintf("%s %s %s %t %s", format, dir, ids(tests), force, strings.TrimPrefix(faults, "fail")), " "),
			"go ",
		),
	)
	if d.writeErr != nil && !force {
		return "", d.writeErr
	}
	return dir + "/" + cmp.Or(file, "sonde_test.go"), nil
}

func (d *driver) realise(ctx context.Context, seq model.Seq, o usecase.Surroundings) (model.Test, error) {
	d.runs, d.around = append(d.runs, seq), append(d.around, o)
	if ctx.Err() != nil {
		return model.Test{}, ctx.Err()
	}
	if strings.Contains(string(seq[0]), "stock") {
		return model.Test{}, errors.New("no 2xx from\x1b[2J \"GET /stock/{sku}\": 404 every time")
	}
	t := model.Test{Origin: model.OriginDistilled}
	for _, op := range seq {
		t.Calls = append(t.Calls, model.Call{Op: op, Status: 200})
	}
	return t, nil
}

// replay returns the test with the status 503 in its last answer.
func (d *driver) replay(_ context.Context, t model.Test, o usecase.Surroundings) (model.Test, error) {
	d.runs, d.around = append(d.runs, t.Seq()), append(d.around, o)
	t.Calls, t.Stubs = slices.Clone(t.Calls), o.Stubs
	t.Calls[len(t.Calls)-1].Status = 503
	return t, nil
}

func (d *driver) send(msg tea.Msg) *driver {
	next, cmd := d.screen.Update(msg)
	d.screen = next.(*Screen)
	d.do(cmd)
	return d
}

func (d *driver) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	case screen.StatusMessage:
		if msg.Err != nil {
			msg.Text = msg.Err.Error()
		}
		d.messages = append(d.messages, msg.Text)
	case widget.HostAllowed:
		d.allowed++
		d.send(msg)
	case nil:
	default:
		if d.hold {
			d.held = append(d.held, msg)
			return
		}
		d.send(msg)
	}
}

// release sends the stored messages.
func (d *driver) release() *driver {
	held := d.held
	d.hold, d.held = false, nil
	for _, msg := range held {
		d.send(msg)
	}
	return d
}

func (d *driver) size(w, h int) *driver { return d.send(tea.WindowSizeMsg{Width: w, Height: h}) }

func (d *driver) press(keys ...string) *driver {
	for _, k := range keys {
		d.send(pressed(k))
	}
	return d
}

func (d *driver) pick(items ...screen.SeqItem) *driver {
	return d.send(screen.PicksChanged{Items: items})
}

func pressed(name string) tea.KeyMsg {
	for t := tea.KeyType(-128); t < 128; t++ {
		if k := (tea.KeyMsg{Type: t}); t != tea.KeyRunes && k.String() == name {
			return k
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// kept returns an item of a run's archive.
func kept(id string, ops ...model.OpID) screen.SeqItem {
	t := model.Test{ID: id, Origin: model.OriginSearched}
	for _, op := range ops {
		t.Calls = append(t.Calls, model.Call{Op: op, Status: 201})
	}
	return screen.SeqItem{ID: id, Origin: model.OriginSearched, Seq: t.Seq(), Test: &t}
}

// listed returns a distilled item, which has no values.
func listed(id string, ops ...model.OpID) screen.SeqItem {
	return screen.SeqItem{ID: id, Origin: model.OriginDistilled, Seq: ops}
}

var (
	carts  = kept("t1", "POST /carts", "POST /carts/{cartId}/items")
	health = kept("t2", "GET /health")
	orders = listed("d1", "POST /orders", "GET /orders/{orderId}")
	stock  = listed("d2", "GET /stock/{sku}\x1b[2J", "PUT /stock/{sku}")
)
