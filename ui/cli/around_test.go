package cli

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/tui/screen"
)

// What the app's form has is what the search's command has.
func TestNetworkFromTheForm(t *testing.T) {
	said := around{on: true, allow: []string{"127.0.0.1:5432"}}
	demo := service{name: demoSource, url: "http://127.0.0.1:1"}
	built := service{url: demo.url, build: &building{}}
	for _, c := range []struct {
		name    string
		wiring  *wiring
		form    screen.Settings
		want    string // of the command, between the service and --calls
		outside bool   // the demo turns to hosts outside
	}{
		{"demo", &wiring{service: demo}, screen.Settings{}, "--demo", false},
		{"demo, white", &wiring{service: demo}, screen.Settings{White: true}, "--demo --white", false},
		{"demo, network", &wiring{service: demo}, screen.Settings{Net: true}, "--demo --white --black --net", true},
		{"demo, both", &wiring{service: demo, net: said}, screen.Settings{White: true, Net: true}, "--demo --white --net --net-allow 127.0.0.1:5432", true},
		{"off in the form", &wiring{service: demo, net: said}, screen.Settings{}, "--demo", false},
		{"built", &wiring{service: built, source: "a.yaml"}, screen.Settings{White: true, Net: true}, "a.yaml --net", false},
		{"off though the file has it", &wiring{service: built, source: "a.yaml", config: withNet()}, screen.Settings{White: true}, "a.yaml --no-net", false},
	} {
		c.wiring.spec, c.wiring.flags = &model.Spec{}, &sourceFlags{}
		c.form.Limits.Calls = 7
		s, _, err := c.wiring.settings(c.form)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _ := strings.Cut(strings.Join(s.args(), " "), " --calls"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		hosts := s.service.build != nil && slices.Contains(s.service.build.service.Command, "--payments")
		if hosts != c.outside || s.net.wanted(s.config.Net) != c.form.Net {
			t.Errorf("%s: hosts outside %t, a network %t", c.name, hosts, s.net.wanted(s.config.Net))
		}
	}
}

// withNet is a configuration with a network.
func withNet() (c configured) {
	c.Net = config.Net{On: true}
	return c
}

// The switch stands at first as flags and the configuration have it.
func TestNetworkAtFirst(t *testing.T) {
	for _, c := range []struct {
		on, off, file bool
		want          screen.Net
	}{{false, false, false, screen.MayNet}, {true, false, false, screen.WantsNet}, {false, false, true, screen.WantsNet}, {false, true, true, screen.MayNet}} {
		w := wiring{net: around{on: c.on, off: c.off}}
		w.config.Net.On = c.file
		if got := w.surrounded(); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}
