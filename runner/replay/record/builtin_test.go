package record

import (
	"testing"
	"time"

	"sonde/model"
)

// A call that the service's own network reports has the reported cause. If no cause is reported, and Serial is set, the
// call belongs to the request in flight.
func TestReportedCause(t *testing.T) {
	for _, serial := range []bool{false, true} {
		sink := &memory{}
		m, err := New(Options{Spec: shop, Serial: serial, Sink: sink})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.Close)
		tracked := m.requests.begin(nil)
		at := m.clock.now().Add(time.Millisecond)
		for _, cause := range []string{tracked.id, "", newID(0)} {
			s := model.OutwardCall{
				Host:        "pay.example:80",
				Protocol:    model.HTTP,
				CauseID:     cause,
				Attribution: model.AttributedByContext,
			}
			s.At = at
			s.Reply = model.Reply{
				Header: map[string][]string{"Content-Encoding": {"identity"}, "Content-Length": {"1"}},
				Body:   []byte("a"),
			}
			m.RecordOutward(s)
		}
		early := model.OutwardCall{Host: "pay.example:80", Protocol: model.HTTP}
		early.At = m.requests.lastBegan.Add(-time.Second)
		m.RecordOutward(early)
		_, sent, _ := sink.all()
		want := []model.Attribution{model.AttributedByContext, "", "", ""}
		if serial {
			want = []model.Attribution{model.AttributedByContext, model.AttributedBySerial, model.AttributedBySerial, ""}
		}
		for i, s := range sent {
			if known := want[i] != ""; s.Attribution != want[i] || (s.CauseID == tracked.id) != known {
				t.Errorf("serial %t, %d: for %q by %q, want %q", serial, i, s.CauseID, s.Attribution, want[i])
			}
		}
		if h := sent[0].Reply.Header; len(sent) != 4 || h["Content-Length"] != nil ||
			string(sent[0].Reply.Body) != "a" {
			t.Errorf("kept %+v", sent)
		}
	}
}

// The trace in a call's header identifies the request. CauseByTrace then restores the client's own trace in the
// header.
func TestCauseByTrace(t *testing.T) {
	m, err := New(Options{Spec: shop, Sink: &memory{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	const own = "4bf92f3577b34da6a3ce929d0e0e4736"
	tracked := m.requests.begin(trace{"Traceparent": {"00-" + own + "-00f067aa0ba902b7-01"}})
	h := map[string][]string{"Traceparent": {"00-" + tracked.id + "-00f067aa0ba902b8-01"}}
	if id := m.CauseByTrace(h); id != tracked.id || h["Traceparent"][0] != "00-"+own+"-00f067aa0ba902b8-01" {
		t.Errorf("it is %q, and %q is passed on", id, h["Traceparent"])
	}
	if id := m.CauseByTrace(map[string][]string{}); id != "" {
		t.Errorf("nothing tells %q", id)
	}
}
