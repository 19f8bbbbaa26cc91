package send

import (
	"context"
	"errors"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// run runs a command and returns the answer among its messages.
func run(t *testing.T, cmd tea.Cmd) answered {
	t.Helper()
	for _, c := range cmd().(tea.BatchMsg) {
		if msg, ok := c().(answered); ok {
			return msg
		}
	}
	t.Fatal("no answer")
	return answered{}
}

// A sender drops the results of all requests but the latest.
func TestSenderDropsOldResults(t *testing.T) {
	var sent []model.Test
	s := sender{interval: time.Nanosecond, queue: &screen.MessageQueue{}, calls: usecase.ManualCalls{
		Send: func(_ context.Context, t model.Test, _ usecase.Surroundings) (usecase.SendResult, error) {
			sent = append(sent, t)
			return paid(200+len(sent), ""), nil
		},
	}}
	old := run(t, s.send(payment(), usecase.Surroundings{}, false))
	s.cancel()
	if _, shown := s.answered(old); shown || s.result != nil {
		t.Error("the result of a canceled request is shown")
	}
	newer := run(t, s.send(payment(), usecase.Surroundings{}, false))
	if _, shown := s.answered(old); shown {
		t.Error("an old result is shown")
	}
	if _, shown := s.answered(newer); !shown || s.inFlight() || !s.started {
		t.Errorf("shown %t, in flight %t, started %t", shown, s.inFlight(), s.started)
	}
	if got := s.result.Exchanges[1].Reply.Status; got != 202 {
		t.Errorf("status %d, want 202", got)
	}
	if len(s.around.Stubs) != 1 || len(sent[1].Stubs) != 0 {
		t.Errorf("sent stubs %+v in %+v", sent[1].Stubs, s.around)
	}
	s.reset()
	if s.result != nil || !s.started {
		t.Error("reset keeps the result, or forgets that the service was started")
	}
}

func TestSenderKeepsTheResultOnAnError(t *testing.T) {
	fails := errors.New("gone")
	s := sender{interval: time.Nanosecond, queue: &screen.MessageQueue{}, calls: usecase.ManualCalls{
		Send: func(context.Context, model.Test, usecase.Surroundings) (usecase.SendResult, error) {
			return usecase.SendResult{}, fails
		},
	}}
	before := paid(200, "")
	s.result = &before
	if _, shown := s.answered(run(t, s.send(payment(), usecase.Surroundings{}, false))); shown || !errors.Is(s.err, fails) {
		t.Errorf("shown %t, error %v", shown, s.err)
	}
	if s.result != &before {
		t.Error("the result before is lost")
	}
}

func TestNewLayout(t *testing.T) {
	for name, c := range map[string]struct {
		width, height, rows int
		reading             bool
		want                layout
	}{
		"beside": {
			width: 96, height: 10, rows: 4,
			want: layout{form: draw.Rect{W: 48, H: 10}, answer: draw.Rect{X: 48, W: 48, H: 10}},
		},
		"below": {
			width: 80, height: 20, rows: 4,
			want: layout{form: draw.Rect{W: 80, H: 6}, answer: draw.Rect{Y: 6, W: 80, H: 14}},
		},
		"below a long form": {
			width: 80, height: 20, rows: 40,
			want: layout{form: draw.Rect{W: 80, H: 11}, answer: draw.Rect{Y: 11, W: 80, H: 9}},
		},
		"only the form": {
			width: 60, height: 15, rows: 4,
			want: layout{form: draw.Rect{W: 60, H: 15}},
		},
		"only the answer": {
			width: 60, height: 15, rows: 4, reading: true,
			want: layout{answer: draw.Rect{W: 60, H: 15}},
		},
	} {
		if got := newLayout(c.width, c.height, c.rows, c.reading); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func TestDurationText(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1200 * time.Microsecond: "1.2 ms",
		42 * time.Millisecond:   "42 ms",
		1500 * time.Millisecond: "1.5 s",
	} {
		if got := durationText(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
