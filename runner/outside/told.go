package outside

import (
	"net"
	"strings"

	"sonde/model"
)

// mostTold bounds how many places are searched of hosts whose names the service was told:
// each value that is tried for a name would be one more.
const mostTold = 8

// Told reports whether the service has a host's name from what a test said, when it first
// turned to it: from a caller, or from another host.
func (w *World) Told(host string) bool { return w.told[host] }

// mostMet bounds of how many hosts is known whether the service was told of them.
const mostMet = 4096

// meet takes note of whether the service was told of a host that it first turns to.
func (w *World) meet(test model.Test, c model.Contact) {
	if _, known := w.told[c.Host]; known || c.Inward || c.Host == "" || len(w.told) == mostMet {
		return
	}
	if w.told == nil {
		w.told = map[string]bool{}
	}
	w.told[c.Host] = says(test, c.Host)
}

// toldOf is how many places are known of hosts of which the service was told.
func (w *World) toldOf() (n int) {
	for _, p := range w.places {
		if w.told[p.host] {
			n++
		}
	}
	return n
}

// says reports whether a test says a host's name.
func says(test model.Test, host string) bool {
	name := strings.ToLower(host)
	if n, _, err := net.SplitHostPort(host); err == nil {
		name = strings.ToLower(n)
	}
	var said []string
	for _, s := range test.Stubs {
		for _, a := range s.Script() {
			said = append(said, string(a.Said()))
			for _, value := range a.Header {
				said = append(said, value)
			}
		}
	}
	for _, c := range test.Calls {
		for _, a := range c.Args {
			said = append(said, a.Value)
		}
		if c.Body != nil {
			said = append(said, c.Body.Data)
		}
	}
	return strings.Contains(strings.ToLower(strings.Join(said, "\n")), name)
}
