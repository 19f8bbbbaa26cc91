package recording

import (
	"os"

	"sonde/runner/network/netsim"
	"sonde/ui/app/service"
)

// BuildNetwork is the network of a Go service that Sonde builds for a recording. It records everything that
// the service sends, without any configuration of the service.
type BuildNetwork struct {
	On, Off bool
	Allow   []string
	build   *service.Builder // nil if the service is not built
	dir     string           // folder of the build, "" before the build
	net     *netsim.Recorder
	sink    CodeSink    // receives what is known about the service's code; nil if code is not recorded
	code    *codeReader // nil if it is not known which code the service runs
}

// Flush records incomplete messages.
func (n *BuildNetwork) Flush() {
	if n.net != nil {
		n.net.Flush()
	}
}

// Close ends the network and removes what was built.
func (n *BuildNetwork) Close() {
	if n.net != nil {
		_ = n.net.Close() // the folder is temporary
	}
	n.code.close()
	if n.dir != "" {
		_ = os.RemoveAll(n.dir)
	}
}
