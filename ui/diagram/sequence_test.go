package diagram_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"sonde/ui/diagram"
	"sonde/ui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

const ms = time.Millisecond

func message(to int, at, took time.Duration, verb, text, reply string) diagram.Message {
	return diagram.Message{
		From:  min(1, to-1),
		To:    to,
		At:    at,
		Took:  took,
		Ended: true,
		Verb:  verb,
		Text:  text,
		Reply: reply,
		Style: theme.Good,
	}
}

// figures are diagrams like those that the app shows.
var figures = map[string]diagram.Sequence{
	"pay": {
		Lanes: []string{"client", "shop", "payments.example:443", "stock.example:7000", "metrics.example:8125"},
		Messages: []diagram.Message{
			message(1, 0, 14*ms, "POST", "/orders/7/payment", "✓ 201 · 14 ms"),
			message(2, 1500*time.Microsecond, 7*ms, "POST", "/charge", "✓ 200 · 7 ms"),
			message(3, 9*ms, 2*ms, "TCP", "SKU 4711", "17 left · 2 ms"),
			{From: 1, To: 4, At: 12*ms + 300*time.Microsecond, Verb: "UDP", Text: "orders.paid:1|c"},
		},
	},
	"fan-out": {
		Lanes: []string{"client", "pages", "users:80", "prices:80"},
		Messages: []diagram.Message{
			message(1, 0, 1200*ms, "GET", "/page/a/very/long/path/that/does/not/fit/anywhere/42", "✓ 200 · 1,200 ms"),
			message(2, 2*ms, 40*ms, "GET", "/users/1", "✓ 200"),
			message(2, 3*ms, 20*ms, "GET", "/users/2", "✗ 503"), message(2, 4*ms, 40*ms, "GET", "/users/3", "✓ 200"),
			message(3, 5*ms, 30*ms, "GET", "/prices", "✓ 200"), message(2, 50*ms, 9*ms, "GET", "/users/2", "✓ 200"),
		},
	},
	"uncertain": {
		Lanes: []string{"client", "service", "支払い.example"},
		Messages: []diagram.Message{
			message(1, 0, 3*ms, "POST", "/支払い/長い長い長い長い長い長い長い長い長い長い長い/確認", "✓ 200"),
			{From: 1, To: 2, At: -ms, Took: 9 * ms, Ended: true, Verb: "GET", Text: "/late", Reply: "✗ connection reset", Loose: true},
		},
	},
	"alone": {
		Lanes:    []string{"client", "service"},
		Messages: []diagram.Message{message(1, 0, 400*time.Microsecond, "GET", "/health", "✓ 204 · 0.4 ms")},
	},
	"none": {},
}

func TestFigures(t *testing.T) {
	for name, f := range figures {
		for _, width := range []int{40, 58, 78, 118, 198} {
			t.Run(fmt.Sprintf("%s %d", name, width), func(t *testing.T) {
				golden.RequireEqual(t, []byte(drawn(f, width, 1)))
			})
		}
	}
}

// drawn returns the head and the rows of a diagram as text.
func drawn(f diagram.Sequence, width, marked int) string {
	head, rows := f.Draw(width, marked)
	var out strings.Builder
	if head != nil {
		fmt.Fprintln(&out, head.Text())
	}
	for _, r := range rows {
		fmt.Fprintln(&out, strings.TrimRight(r.Line.Text(), " "))
	}
	return out.String()
}

// For any diagram, no row is wider than the available width. Each message begins once and ends at most
// once, in the order of time.
func TestRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := some(t)
		width := rapid.IntRange(1, 250).Draw(t, "width")
		head, rows := f.Draw(width, rapid.IntRange(-1, len(f.Messages)-1).Draw(t, "marked"))
		if w := head.Width(); w > width {
			t.Fatalf("the head has %d cells of %d: %q", w, width, head.Text())
		}
		begun, ended, last := map[int]bool{}, map[int]bool{}, time.Duration(-1<<62)
		for _, r := range rows {
			m := f.Messages[r.Message]
			at := m.At
			if r.End {
				at += m.Took
			}
			switch {
			case ansi.StringWidth(r.Line.Text()) > width:
				t.Fatalf("%d cells of %d: %q", r.Line.Width(), width, r.Line.Text())
			case begun[r.Message] != r.End, r.End && (ended[r.Message] || !m.Ended):
				t.Fatalf("message %d begins or ends wrongly in\n%s", r.Message, drawn(f, width, -1))
			case at < last:
				t.Fatalf("%s after %s", at, last)
			}
			begun[r.Message], ended[r.Message], last = true, ended[r.Message] || r.End, at
		}
		for i, m := range f.Messages {
			if !begun[i] || ended[i] != m.Ended {
				t.Fatalf("message %d is not whole in\n%s", i, drawn(f, width, -1))
			}
		}
	})
}

// Every row of a diagram shows all lanes, or the bars and arrows that cover them.
func TestLanesGoOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := some(t)
		for i := range f.Messages {
			f.Messages[i].Verb, f.Messages[i].Text, f.Messages[i].Reply = "", "", ""
		}
		head, rows := f.Draw(rapid.IntRange(60, 250).Draw(t, "width"), -1)
		if head == nil {
			return
		}
		for _, r := range rows {
			n := 0
			for _, c := range r.Line.Text() {
				if strings.ContainsRune("│┃├┠┨┼╂", c) {
					n++
				}
			}
			if n < len(f.Lanes) {
				t.Fatalf("%d lanes of %d: %q", n, len(f.Lanes), r.Line.Text())
			}
		}
	})
}

// some draws a random diagram.
func some(t *rapid.T) diagram.Sequence {
	texts := []string{"", "x", "/orders/{id}/長い", strings.Repeat("長", 60), strings.Repeat("/segment", 20)}
	text := func(name string) string { return rapid.SampledFrom(texts).Draw(t, name) }
	var f diagram.Sequence
	for range rapid.IntRange(2, 7).Draw(t, "lanes") {
		f.Lanes = append(f.Lanes, text("lane"))
	}
	for range rapid.IntRange(0, 12).Draw(t, "messages") {
		to := rapid.IntRange(1, len(f.Lanes)-1).Draw(t, "to")
		f.Messages = append(f.Messages, diagram.Message{
			From:  rapid.IntRange(0, to-1).Draw(t, "from"),
			To:    to,
			At:    time.Duration(rapid.IntRange(-5, 30).Draw(t, "at")) * ms,
			Took:  time.Duration(rapid.IntRange(0, 30).Draw(t, "took")) * ms,
			Verb:  text("verb"),
			Text:  text("text"),
			Reply: text("reply"),
			Ended: rapid.Bool().Draw(t, "ended"),
			Loose: rapid.Bool().Draw(t, "loose"),
		})
	}
	return f
}
