package cli

import (
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app"
	"sonde/ui/app/service"
)

// The app knows before the spec is read whether the configuration has a reset.
func TestHostHasTheReset(t *testing.T) {
	for _, c := range []struct {
		name   string
		config config.Config
		none   bool
	}{
		{"nothing", config.Config{}, true},
		{"a reset", config.Config{Reset: &model.Reset{Method: "POST", Path: "/reset"}}, false},
		{"a driver", config.Config{Driver: "http://127.0.0.1:7000"}, false},
	} {
		host := app.ConfiguredService(service.Configuration{Config: c.config}, "http://127.0.0.1:1", service.Network{})
		if got := host.NoReset; got != c.none {
			t.Errorf("%s: no reset is %t, want %t", c.name, got, c.none)
		}
	}
}
