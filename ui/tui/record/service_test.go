package record

import (
	"testing"

	"sonde/ui/tui/screen"
)

// After a switch to another environment, the form is for its service. The folder that the user typed stays.
func TestServiceChanged(t *testing.T) {
	d := drive(t, demo).size(200, 40).press("end", "e", "ctrl+u").types("kept-folder").press("enter")
	d.send(screen.ServiceChanged{Service: screen.Service{URL: "http://127.0.0.1:7000", Environment: "staging"}})
	d.sees("In a shell: sonde record --spec shop.yaml --env staging --in 127.0.0.1:8000=http://127.0.0.1:7000 -o kept-folder")
}

// A service that Sonde starts has no address before it runs, so the form proposes none.
func TestStartedServiceHasNoAddress(t *testing.T) {
	drive(t, screen.Service{URL: "http://127.0.0.1:{port}"}).size(200, 40).sees("inbound").misses("{port}")
}
