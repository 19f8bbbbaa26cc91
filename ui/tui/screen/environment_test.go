package screen_test

import (
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
)

func TestConsentTo(t *testing.T) {
	remote := screen.Service{URL: "https://api.example.com", Remote: true}
	production := remote
	production.Environment, production.Production = "eu", true
	creating := production
	creating.CreatesUsers = true
	reads, mixed := []model.OpID{"GET /a", "HEAD /a"}, []model.OpID{"GET /a", "POST /a", "DELETE /a"}
	for _, tt := range []struct {
		name        string
		service     screen.Service
		ops         []model.OpID
		allowed     bool
		title, text string
	}{
		{"this machine", screen.Service{URL: "http://127.0.0.1:1"}, mixed, false, "", ""},
		{
			"another machine", remote, reads, false, widget.RemoteHostTitle,
			"Sonde will send it to https://api.example.com: it may delete.",
		},
		{"another machine, allowed", remote, mixed, true, "", ""},
		{
			"production, reads", production, reads, false, widget.RemoteHostTitle,
			"Sonde will send it to https://api.example.com: it may delete.",
		},
		{"production, reads, allowed", production, reads, true, "", ""},
		{
			"production, writes, allowed", production, mixed, true, screen.ProductionTitle,
			"Sonde will send it to https://api.example.com, which is production (eu): 2 of 3 operations write, such as POST /a.",
		},
		{
			"production, one writes", production, mixed[1:2], true, screen.ProductionTitle,
			"Sonde will send it to https://api.example.com, which is production (eu): 1 of 1 operation writes, such as POST /a.",
		},
		{
			"production, creates users", creating, reads, false, screen.ProductionTitle,
			"Sonde will send it to https://api.example.com, which is production (eu), and first create its users there (createUsers).",
		},
		{"production, creates users, allowed", creating, reads, true, "", ""},
		{"production on this machine, reads", screen.Service{URL: "http://127.0.0.1:1", Production: true}, reads, false, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			planned := screen.PlannedCalls{What: "send it to", Effect: ": it may delete", Ops: tt.ops}
			title, text, ask := tt.service.ConsentTo(planned, tt.allowed)
			if title != tt.title || text != tt.text || ask != (tt.title != "") {
				t.Errorf("got %t, %q: %q", ask, title, text)
			}
		})
	}
}

// The port of a service that does not run yet is never shown as a placeholder.
func TestAddress(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"http://127.0.0.1:{port}/v1", "a service that Sonde starts"},
		{"http://127.0.0.1:8080", "http://127.0.0.1:8080"},
	} {
		if got := (screen.Service{URL: tt.url}).Address(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.url, got, tt.want)
		}
	}
}
