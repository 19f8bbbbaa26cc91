package recording

import (
	"os"

	"sonde/runner/network/netsim"
	"sonde/ui/app/service"
)

// BuildNetwork is the network of a Go service that Sonde builds to record it: what it sends
// goes through that, without a word to the service.
type BuildNetwork struct {
	On, Off bool
	Allow   []string
	build   *service.Builder // nil where the service has none
	dir     string           // in which it is built
	net     *netsim.Recorder
}

// Flush takes what is not over yet.
func (n *BuildNetwork) Flush() {
	if n.net != nil {
		n.net.Flush()
	}
}

// Close ends the network, and removes what was built.
func (n *BuildNetwork) Close() {
	if n.net != nil {
		_ = n.net.Close() // its folder is only a temporary one
	}
	if n.dir != "" {
		_ = os.RemoveAll(n.dir)
	}
}
