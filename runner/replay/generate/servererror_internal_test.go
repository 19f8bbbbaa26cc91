package generate

import (
	"errors"
	"testing"

	"sonde/model"
)

// Whether a server error is a fault depends on its status, on whether the spec declares it, and on whether a host
// failed.
func TestIsServerFault(t *testing.T) {
	fails := &outwardCall{OutwardCall: model.OutwardCall{Protocol: model.HTTP, Exchange: model.Exchange{Reply: model.Reply{Status: 500}}}}
	broken := &outwardCall{OutwardCall: model.OutwardCall{Protocol: model.TCP, Exchange: model.Exchange{Err: errors.New("reset")}}}
	well := &outwardCall{OutwardCall: model.OutwardCall{Protocol: model.HTTP, Exchange: model.Exchange{Reply: model.Reply{Status: 404}}}}
	declared := []model.Response{{Status: "200"}, {Status: "501"}, {Status: "503"}, {Status: "default"}}
	op := &model.Operation{ID: "GET /a", Responses: declared}
	later := map[string][]string{"Retry-After": {"3"}}
	for _, c := range []struct {
		status int
		header map[string][]string
		call   *outwardCall
		want   bool
	}{
		{200, nil, fails, false},
		{500, nil, well, true},
		{500, nil, fails, true}, // the service should answer 502
		{501, nil, well, true},
		{501, nil, fails, false},
		{502, nil, well, true},
		{502, nil, broken, false},
		{503, nil, well, false},
		{504, later, well, true},
	} {
		x := &recordedExchange{op: op, outward: []*outwardCall{c.call}}
		x.Reply = model.Reply{Status: c.status, Header: c.header}
		if got := x.isServerFault(); got != c.want {
			t.Errorf("%d with a host that answered %d (%v): got %t", c.status, c.call.Reply.Status, c.call.Err, got)
		}
	}
	x := &recordedExchange{op: &model.Operation{Responses: op.Responses[:1]}}
	x.Reply = model.Reply{Status: 503, Header: later}
	if x.isServerFault() {
		t.Error("a service that says when it is available again")
	}
}
