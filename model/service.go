package model

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// PortPlaceholder in a Service's command and environment, or in a Plan's BaseURL, is replaced by the port
// of a copy of the service.
const PortPlaceholder = "{port}"

// SnapshotPlaceholder in a command that takes or restores a snapshot of the service's state is replaced by the
// absolute path of the snapshot's folder.
const SnapshotPlaceholder = "{snapshot}"

// BinaryPlaceholder in the command of a Service with a Build is replaced by the path of the built binary.
const BinaryPlaceholder = "{binary}"

// Service describes how to start and stop the service under test. It contains no secrets: values of Env
// refer to them as "${NAME}".
type Service struct {
	// Command is a program with its arguments, run without a shell. It must stay in the foreground.
	// PortPlaceholder in it is replaced.
	Command []string `json:"command"`
	// Build is how to build the service, nil if it is not built. If it is set, Command contains
	// BinaryPlaceholder.
	Build *GoBuild `json:"build,omitempty"`
	// Dir is the working folder of the service, "" for Sonde's own.
	Dir string `json:"dir,omitempty"`
	// Env is added to Sonde's own environment. In its values PortPlaceholder is replaced, and so is
	// "${NAME}" by a variable of Sonde's environment. PORT is set to the port by default.
	Env map[string]string `json:"env,omitempty"`
	// Port is the port of a service that cannot listen on another port. 0 means a free port for each copy.
	Port  int             `json:"port,omitempty"`
	Ready ReadinessCheck  `json:"ready,omitzero"`
	Stop  ShutdownOptions `json:"stop,omitzero"`
	// Log is the file for the service's output. The output of a further copy goes to a file whose name has the
	// number of the copy. If Log is "", only the last lines are kept during the run.
	Log string `json:"log,omitempty"`
}

// Driver is a program that starts, resets and stops the service under test for Sonde and reports its
// coverage. docs/driver.md describes its API.
type Driver struct {
	// URL is the driver's address. It may contain PortPlaceholder if Run is set.
	URL string `json:"url"`
	// Run is how to start the driver, nil if it is already running.
	Run *Service `json:"run,omitempty"`
	// Path is appended to the service's base URL if the base URL has no path.
	Path string `json:"path,omitempty"`
	// Blind reports whether coverage is only measured. The search itself is then black-box.
	Blind bool `json:"blind,omitempty"`
}

// StartCommand returns how to start the driver, nil if it is already running. If the URL has a fixed port, the driver
// gets this port.
func (d *Driver) StartCommand() *Service {
	if d.Run == nil || d.Run.Port > 0 || d.SupportsCopies() {
		return d.Run
	}
	own := *d.Run
	if u, err := url.Parse(d.URL); err == nil {
		own.Port, _ = strconv.Atoi(u.Port()) // a URL without a port gives 0, any port
	}
	return &own
}

// SupportsCopies reports whether several drivers can be started, each with its own copy of
// the service.
func (d *Driver) SupportsCopies() bool {
	return d.Run != nil && strings.Contains(d.URL, PortPlaceholder)
}

// GoBuild describes how to build a service with probes from its Go source, in the service's working folder.
type GoBuild struct {
	Package string `json:"package"` // the main package
	// Cover are the packages that get probes; nil means all packages of the main module.
	Cover  []string `json:"cover,omitempty"`
	Tags   string   `json:"tags,omitempty"`
	Vendor bool     `json:"vendor,omitempty"`
	// SQL adds probes to the queries of database/sql.
	SQL bool `json:"sql,omitempty"`
	// Panics adds probes to operations that panic for some operands, such as an index.
	Panics bool `json:"panics,omitempty"`
}

// ReadinessCheck describes how to check whether the service has started.
type ReadinessCheck struct {
	// Path is requested by GET, relative to the base URL. If it is "", the service is ready when its port
	// accepts connections.
	Path string `json:"path,omitempty"`
	// Status is the expected status; 0 means any below 500.
	Status int `json:"status,omitempty"`
	// Timeout is how long to wait; 0 means 30 s.
	Timeout time.Duration `json:"timeout,omitempty"`
}

// ShutdownOptions describes how to stop the service.
type ShutdownOptions struct {
	// Signal is "TERM", "INT", "HUP", "QUIT" or "KILL"; "" means "TERM". On Windows the
	// service is killed at once.
	Signal string `json:"signal,omitempty"`
	// Timeout is the time after which the service is killed; 0 means 5 s.
	Timeout time.Duration `json:"timeout,omitempty"`
}

// Reset describes how to restore the initial state of the service. Exactly one of Path, Command, Restart and Clean is
// set. Restart and Clean need a Service.
type Reset struct {
	Method string `json:"method,omitempty"`
	// Path is a path with query, relative to the base URL.
	Path string `json:"path,omitempty"`
	// Header is sent with the request. "${NAME}" in a value is replaced by a variable of Sonde's
	// environment.
	Header map[string]string `json:"header,omitempty"`
	Body   *Payload          `json:"body,omitempty"`

	// Command is a program with its arguments, run without a shell in the Service's folder and environment.
	// PortPlaceholder in it is replaced. Exit code 0 means success.
	Command []string `json:"command,omitempty"`

	// Restart stops the service and starts it again.
	Restart bool `json:"restart,omitempty"`

	// Clean brings the rows of the service's databases back to those that they had when the service was ready. Sonde must
	// build the service, and the databases must be SQLite behind database/sql.
	Clean bool `json:"clean,omitempty"`

	// Snapshots is the folder with the snapshots of a recording, "" for none. With Snapshots, the reset restores the
	// snapshot with which the test begins; see MockTest.Snapshot. In Command, SnapshotPlaceholder is replaced by the
	// folder of this snapshot. A Restart stops the service, replaces the Files by their copies in this folder, and
	// starts the service.
	Snapshots string   `json:"snapshots,omitempty"`
	Files     []string `json:"files,omitempty"`
}

// String returns a short form of the reset, such as "POST /reset", "restart" or "clean".
func (r Reset) String() string {
	switch {
	case r.Restart:
		return "restart"
	case r.Clean:
		return "clean"
	case len(r.Command) > 0:
		return strings.Join(r.Command, " ")
	}
	return r.Method + " " + r.Path
}

// FaultKind is the way in which a service failed to answer. Its value is the name of the oracle that
// reports the fault.
type FaultKind string

// The ways in which a service fails to answer.
const (
	ServiceDied  FaultKind = "crash"
	ServiceHangs FaultKind = "hang"
	// NoAnswer means that the connection was closed or timed out while the service was running.
	NoAnswer FaultKind = "no-answer"
)
