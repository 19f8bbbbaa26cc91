//go:build unix

package search_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/search"
)

// A stub that is injected at a host answers all later requests, manual ones and those of FillTemplate. A kept
// test has the stubs that answered.
func TestManualSessionWithStubs(t *testing.T) {
	t.Parallel()
	s := openOutsider(t, "page")
	p := model.Plan{Spec: s.spec, Service: s.config.Service, Reset: s.config.Reset, Net: &model.VirtualNetwork{}}
	p.Service.Command, p.Service.Build = []string{s.build(t)}, nil
	h := hand(t, p)
	check := calls(model.Call{Op: "GET /check", Args: []model.Arg{{In: model.InQuery, Name: "path", Value: "/a"}}})
	alone := sends(t, h, check, 503)
	if i := slices.IndexFunc(alone.Hosts, func(h model.HostSummary) bool { return h.Host == "www.example:80" }); i < 0 ||
		len(alone.Test.Stubs) != 0 {
		t.Errorf("sent %+v", alone)
	}
	page := model.Stub{Host: "www.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Body: "<html><body>hello</body></html>"}}}
	other := model.Stub{Host: "weather.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetReset}}}
	check.Stubs = []model.Stub{other, page}
	if got := sends(t, h, check, 200); len(got.Test.Stubs) != 1 || got.Test.Stubs[0].Host != page.Host {
		t.Errorf("in force were %+v", got.Test.Stubs)
	}
	kept, err := h.KeepLast(t.Context(), check.Stubs)
	if got := kept.Test; err != nil || !slices.Equal(answers(got), []int{200}) || len(got.Stubs) != 1 {
		t.Errorf("kept %+v, error %v", got, err)
	}
	check.Stubs[1].Answers = []model.Answer{{Fault: model.NetReset}}
	if got, err := h.Replay(t.Context(), check); err != nil || !slices.Equal(answers(got), []int{503}) || len(got.Stubs) != 2 {
		t.Errorf("replayed %+v, error %v", got, err)
	}
	weather := model.Template{Steps: []model.TemplateStep{{Op: "GET /weather/{city}", Min: 1, Max: 1}}}
	other.Answers = []model.Answer{{Body: `{"status":"ok","current":{"temperature":3}}`}}
	if got, err := h.FillTemplate(t.Context(), weather, other, page); err != nil || got.Calls[0].Status != 200 || len(got.Stubs) != 1 {
		t.Errorf("realised %+v, error %v", got, err)
	}
	seenMeanwhile(t, h, check)
}

// While a session plays a test, the contacts of the test can be seen, and they remain after its end. This holds for a
// step, a replay, and the tests of a template.
func TestManualSessionShowsContactsOfTheCurrentTest(t *testing.T) {
	t.Parallel()
	s := openOutsider(t, "page")
	p := model.Plan{Spec: s.spec, Service: s.config.Service, Reset: s.config.Reset, Net: &model.VirtualNetwork{}}
	p.Service.Command, p.Service.Build = []string{s.build(t)}, nil
	mute := model.Stub{Host: "weather.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetMute}}}
	weather := calls(model.Call{Op: "GET /weather/{city}", Args: []model.Arg{{In: model.InPath, Name: "city", Value: "rome"}}})
	weather.Stubs = []model.Stub{mute}
	for name, play := range map[string]func(context.Context, *search.ManualSession) error{
		"step": func(ctx context.Context, h *search.ManualSession) error {
			_, err := h.SendStep(ctx, weather, 0)
			return err
		},
		"replay": func(ctx context.Context, h *search.ManualSession) error {
			_, err := h.Replay(ctx, weather)
			return err
		},
		"template": func(ctx context.Context, h *search.ManualSession) error {
			steps := []model.TemplateStep{{Op: "GET /weather/{city}", Min: 1, Max: 1}}
			_, err := h.FillTemplate(ctx, model.Template{Steps: steps}, mute)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := hand(t, p)
			sends(t, h, calls(model.Call{Op: "GET /check", Args: []model.Arg{{In: model.InQuery, Name: "path", Value: "/a"}}}), 503)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan error, 1)
			go func() { done <- play(ctx, h) }()
			seen := func(s model.HostSummary) bool {
				return s.Host == mute.Host && slices.Equal(s.Operations, []model.OpID{"GET /weather/{city}"}) &&
					slices.ContainsFunc(s.RecentContacts, func(c model.HostContact) bool {
						return c.AnsweredBy != nil && c.AnsweredBy.Host == mute.Host
					})
			}
			for !slices.ContainsFunc(h.SeenHosts(), seen) {
				select {
				case err := <-done:
					t.Fatalf("it ended with error %v before the host was seen", err)
				case <-time.After(time.Millisecond):
				}
			}
			cancel()
			<-done
			if !slices.ContainsFunc(h.SeenHosts(), seen) {
				t.Errorf("after its end: %+v", h.SeenHosts())
			}
		})
	}
}

// What a service does at the end of a stream does not belong to the next test: streams end before the reset.
func TestStreamsEndBeforeTheReset(t *testing.T) {
	t.Parallel()
	s := openOutsider(t, "chat")
	p := model.Plan{Spec: s.spec, Service: s.config.Service, Reset: s.config.Reset, Net: &model.VirtualNetwork{}}
	p.Service.Command, p.Service.Build = []string{s.build(t)}, nil
	h := hand(t, p)
	talk := calls(model.Call{Op: "GET /status"})
	talk.Stubs = []model.Stub{{Host: ":7000", Protocol: model.TCP, Inward: true, Answers: []model.Answer{{Body: "never ended"}}}}
	for _, test := range []model.Test{talk, calls(model.Call{Op: "GET /status"})} {
		got, err := h.Replay(t.Context(), test)
		if err != nil || !slices.ContainsFunc(
			got.Checks, func(c model.Check) bool { return c.Pointer == "/noise" && string(c.Equals) == "0" },
		) {
			t.Errorf("replayed %+v, error %v", got, err)
		}
	}
}

// seenMeanwhile fails the test unless the session lists a host while the service waits for the answer of that host.
func seenMeanwhile(t *testing.T, h *search.ManualSession, test model.Test) {
	t.Helper()
	test.Stubs = []model.Stub{{Host: "www.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetMute}}}}
	test.Calls = slices.Clone(test.Calls)
	test.Calls[0].Args = []model.Arg{{In: model.InQuery, Name: "path", Value: "/b"}}
	over := make(chan struct{})
	go func() {
		defer close(over)
		if _, err := h.Send(t.Context(), test); err != nil {
			t.Error(err)
		}
	}()
	mute := func(h model.HostSummary) bool { return h.Outcomes["mute"] > 0 }
	for !slices.ContainsFunc(h.SeenHosts(), mute) {
		select {
		case <-over:
			t.Fatal("the request was answered before the host was seen")
		case <-time.After(time.Millisecond):
		}
	}
	<-over
	if !slices.ContainsFunc(h.SeenHosts(), mute) {
		t.Error("the host is not seen any more")
	}
}
