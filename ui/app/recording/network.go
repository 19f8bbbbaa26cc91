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
	units   *unitReader // nil if no invocations are recorded
}

// Flush records incomplete messages.
func (n *BuildNetwork) Flush() {
	if n.net != nil {
		n.net.Flush()
	}
}

// Invocations returns the number of recorded invocations of functions under test, also after the recording has ended.
func (n *BuildNetwork) Invocations() int {
	if n.units == nil {
		return 0
	}
	return int(n.units.count.Load())
}

// EndUnits ends the recording of invocations, after the service has ended. Later calls return the same error.
func (n *BuildNetwork) EndUnits() error { return n.units.close() }

// Close ends the network and removes what was built.
func (n *BuildNetwork) Close() {
	_ = n.EndUnits() // after an error; otherwise it has ended
	if n.net != nil {
		_ = n.net.Close() // the folder is temporary
	}
	n.code.close()
	if n.dir != "" {
		_ = os.RemoveAll(n.dir)
	}
}
