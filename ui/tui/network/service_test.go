package network

import (
	"testing"

	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

// After a switch to another environment, the surroundings begin anew: those of a service that Sonde does not start are
// the real network.
func TestServiceChanged(t *testing.T) {
	d := drive(t, screen.Service{URL: "http://127.0.0.1:1", Net: usecase.NetworkRequested}).size(120, 40)
	d.send(screen.ServiceChanged{Service: screen.Service{URL: "http://127.0.0.1:2"}})
	if around := d.screen.next; around.Net || len(around.Stubs) > 0 {
		t.Errorf("the surroundings are %+v", around)
	}
	d.sees("Sonde puts a virtual network around a service that it starts")
}
