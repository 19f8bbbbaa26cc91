package cli

import (
	"net"
	"strings"
	"testing"

	"sonde/ui/app/service"
	"sonde/ui/console"
)

// If another process has the demo's usual address, the demo takes a free port and says so. An address that the user
// chose is not replaced.
func TestDemoAddressInUse(t *testing.T) {
	if l, err := net.Listen("tcp", service.DemoAddr); err == nil { // otherwise it is in use already
		defer l.Close()
	}
	var notes strings.Builder
	l, err := listenForDemo(console.Streams{Err: &notes}, service.DemoAddr, false)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if l.Addr().String() == service.DemoAddr || !strings.Contains(notes.String(), "free port") {
		t.Errorf("listens on %s with the note %q", l.Addr(), notes.String())
	}
	notes.Reset()
	_, err = listenForDemo(console.Streams{Err: &notes}, service.DemoAddr, true)
	if err == nil || !strings.Contains(err.Error(), service.DemoAddr) || notes.Len() > 0 {
		t.Errorf("got the error %v and the note %q", err, notes.String())
	}
}
