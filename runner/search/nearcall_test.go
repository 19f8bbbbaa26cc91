package search

import (
	"context"
	"testing"

	"sonde/model"
)

// climbing is an observer that returns the given scores of two targets, call by call.
type climbing struct {
	observer
	calls [][2]float64
	at    int
}

func (c *climbing) begin(context.Context) error {
	c.at = 0
	return nil
}

func (c *climbing) reached(ctx context.Context) ([]model.Score, error) { return c.settled(ctx) }

func (c *climbing) settled(context.Context) ([]model.Score, error) {
	h := c.calls[c.at]
	return []model.Score{{Target: "a", H: h[0], Number: 7}, {Target: "b", H: h[1], Number: 8}}, nil
}

// The nearest call is the first call that reaches the best score.
func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name  string
		calls [][2]float64 // scores of both targets: before the first call, and after each call
		a, b  int
	}{
		{"the last", [][2]float64{{0, 0}, {0.2, 0}, {0.3, 0.1}}, 1, 1},
		{"one before it", [][2]float64{{0, 0}, {0.2, 0.1}, {0.2, 0.5}, {0.2, 0.6}}, 0, 2},
		{"one alone", [][2]float64{{0, 0}, {0.2, 0.1}}, 0, 0},
		{"none that is sought", [][2]float64{{0, 0}, {1, 0.3}, {1, 0.3}}, 1, 0},
	} {
		n := len(c.calls) - 1
		w := &tracker{observer: &climbing{calls: c.calls}, started: true, lastCall: n - 1, bestScores: map[string]bestScore{"a": {1, 5}}}
		w.begin(t.Context())
		for call := range n {
			w.observer.(*climbing).at = call + 1
			w.observeCall(call)
		}
		w.end()
		trial := &trial{nearCalls: w.nearCalls, test: model.Test{Calls: make([]model.Call, n)}}
		if a, b := trial.nearestCall(7), trial.nearestCall(8); a != c.a || b != c.b {
			t.Errorf("%s: got %d and %d, want %d and %d", c.name, a, b, c.a, c.b)
		}
	}
}
