package search

import (
	"testing"

	"sonde/model"
	"sonde/runner/network/netsim"
	"sonde/runner/target/client"
)

// Connections that stay open are a fault of the operation that opened most of them, even if another operation calls
// the host later. A connection pool keeps some connections open, so up to maxOpenConnections to one host are no
// fault.
func TestLeaks(t *testing.T) {
	const many = maxOpenConnections + 1
	after := func(open netsim.Open, calls ...model.OpID) played {
		p := played{
			results: make([]client.CallResult, len(calls)),
			open:    map[string]netsim.Open{"x.example:80": open, "y.example:80": {Connections: maxOpenConnections}},
			at:      10,
		}
		for _, op := range calls {
			p.test.Calls = append(p.test.Calls, model.Call{Op: op})
		}
		return p
	}
	m := &leakMonitor{}
	for _, c := range []struct {
		name  string
		after played
		want  model.OpID // "" for no fault
		calls int
	}{
		{"few connections", after(netsim.Open{Connections: 3, ByCall: map[int]int{1: 2}}, "GET /a", "GET /leaky"), "", 0},
		{"one that opened few", after(netsim.Open{Connections: many, ByCall: map[int]int{0: 1}}, "GET /a"), "", 0},
		{
			"another call after the leak",
			after(netsim.Open{Connections: many, ByCall: map[int]int{0: 1, 1: 1}}, "GET /leaky", "GET /a"), "GET /leaky", 1,
		},
		{"one that uses a connection again", after(netsim.Open{Connections: many}, "GET /b"), "", 0},
		{
			"a call between others",
			after(netsim.Open{Connections: many, ByCall: map[int]int{1: 4}}, "GET /b", "GET /leaky", "GET /b"), "GET /leaky", 2,
		},
	} {
		got := m.faults(c.after)
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: %+v", c.name, got)
		case c.want != "" && (len(got) != 1 || got[0].Op != c.want || got[0].Calls != c.calls || len(got[0].Test.Calls) != c.calls):
			t.Errorf("%s: got %+v, want %s after %d calls", c.name, got, c.want, c.calls)
		}
	}
}
