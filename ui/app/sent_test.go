package app

import (
	"path/filepath"
	"testing"

	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/usecase"
)

// Requests that are sent by hand are kept for the next session, with their details. Tests that are played are not among them.
func TestSentRequestsAreKept(t *testing.T) {
	const read = "GET /stores"
	url, err := service.ServeDemo(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	memory := filepath.Join(t.TempDir(), "state.json")
	open := func() *Workspace {
		w := New(t.Context(), Options{
			Specs: &specfile.Loader{}, Source: service.DemoSource, Service: service.DemoAt(url), Memory: memory,
		})
		t.Cleanup(w.Close)
		if _, err := w.Load(t.Context(), service.DemoSource); err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := open()
	answered(t, w, handMade(read), 200)
	if _, err := w.manual.replay(t.Context(), handMade(read), usecase.Surroundings{}); err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]*Workspace{"this session": w, "the next session": open()} {
		sent, err := w.Engine().Manual.Sent()
		if err != nil || len(sent) != 1 || sent[0].Op() != read || sent[0].Exchange.Reply.Status != 200 || sent[0].Exchange.Details == nil {
			t.Errorf("%s has %+v, error %v", name, sent, err)
		}
	}
	other := New(t.Context(), Options{Source: "other.json", Memory: memory})
	defer other.Close()
	if sent, err := other.manual.log.All(); err != nil || len(sent) != 0 {
		t.Errorf("another spec has %+v, error %v", sent, err)
	}
}
