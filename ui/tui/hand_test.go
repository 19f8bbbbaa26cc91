package tui

import (
	"context"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

// desk returns an engine that answers manual requests. The service depends on another host, which fails.
// Unless a stub replaces this host, the answer of the service is 503.
func desk() screen.Engine {
	e := engine(shop(), nil)
	e.Manual.Send = func(_ context.Context, t model.Test, o usecase.Surroundings) (usecase.SendResult, error) {
		status, outcome := 503, "refused"
		if len(o.Stubs) > 0 {
			status, outcome = 201, "200"
		}
		for i := range t.Calls {
			t.Calls[i].Status = status
		}
		t.Stubs = o.Stubs
		host := model.HostSummary{
			Host:          "payments.example:80",
			Protocol:      model.HTTP,
			ProtocolKnown: true,
			Count:         1,
			Outcomes:      map[string]int{outcome: 1},
		}
		return usecase.SendResult{
			Net:        o.Net,
			Hosts:      []model.HostSummary{host},
			PlayedTest: model.PlayedTest{Test: t, Exchanges: []model.Exchange{{Reply: model.Reply{Status: status}}}},
		}, nil
	}
	e.Manual.KeepSent = func(ctx context.Context, o usecase.Surroundings) (usecase.SendResult, error) {
		return e.Manual.Send(ctx, model.Test{Origin: model.OriginManual, Calls: []model.Call{{Op: "POST /orders"}}}, o)
	}
	e.TestFiles.Preview = func(_, _ string, tests []model.Test) (string, error) {
		return string(tests[0].Origin) + " " + tests[0].ID, nil
	}
	return e
}

// The user sends a manual request, injects an answer at a host that the service calls, sends the request
// again, and keeps it as a test.
func TestByHand(t *testing.T) {
	d := start(desk(), screen.Service{Name: "demo", URL: local.URL, Net: usecase.NetworkRequested})
	d.openDemo().size(120, 36)
	d.press(orders...).press("r").sees(t, "send POST /orders", "r sends this to a copy of the service")
	d.press("r").sees(t, "✗ 503", "7 shows 1 host")
	d.press("7").sees(t, "Network · 1 host · manual requests", "✗ refused ×1").press("i", "enter", "enter").sees(t, "injected  ◆ 200")
	d.press("1").sees(t, "with 1 stub of yours").press("r").sees(t, "✓ 201", "◆ payments.example:80 200")
	d.press("a").sees(t, "4 Seqs 227", "6 Export 1")
	d.press("4").sees(t, "by hand", "http payments.example:80  200").press("6").sees(t, "by hand h1")
	d.press("4", "home", "r").sees(t, tabs[0], "send POST /orders", "payments.example:80 200  as in the test")
	d.press("esc").sees(t, "╭─ POST /orders ─")
}

// An open form with a request that was not sent is closed when the user goes to another operation, and when the
// document is read again.
func TestLeaveARequest(t *testing.T) {
	d := start(desk(), local)
	d.openDemo().size(120, 36).press(orders...).press("r").sees(t, "send POST /orders")
	d.press("3", "left", "enter", "1").sees(t, "╭─ POST /carts ─")
	d.press("r").sees(t, "send POST /carts").press("ctrl+r").misses(t, "send POST /carts")
}

// The title has the address of a service that Sonde has started, after the first answer, until another environment is
// chosen.
func TestAddressOfAStartedService(t *testing.T) {
	starts := screen.Service{URL: "http://127.0.0.1:{port}/v1"}
	d := start(desk(), starts)
	d.openDemo().sees(t, "starts a service")
	x := model.Exchange{Base: "http://127.0.0.1:43121/v1"}
	d.send(screen.RequestSent{Result: usecase.SendResult{PlayedTest: model.PlayedTest{Exchanges: []model.Exchange{x}}}})
	d.sees(t, "started 127.0.0.1:43121/v1")
	d.send(screen.RequestSent{}).sees(t, "started 127.0.0.1:43121/v1")
	d.send(screen.ServiceChanged{Service: starts}).sees(t, "starts a service")
	d.send(screen.ServiceChanged{Service: local}).misses(t, "started")
}
