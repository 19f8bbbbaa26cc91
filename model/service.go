package model

import (
	"strings"
	"time"
)

// PortPlaceholder stands for the port of a copy of the service, in a Service's command
// and environment and in a Plan's BaseURL.
const PortPlaceholder = "{port}"

// BinaryPlaceholder stands for the binary that a Service's Build makes, in its command.
const BinaryPlaceholder = "{binary}"

// Service is how to start the service under test, and how to look after it. It
// holds no secret: values of Env name them as "${NAME}".
type Service struct {
	// Command is the program and its arguments, without a shell. It stays in
	// the foreground for as long as the service lives. PortHere in it stands
	// for the port.
	Command []string `json:"command"`
	// Build is the Go main package that the service is, nil for any other service.
	// Command then has BinaryHere where its binary is meant.
	Build *GoBuild `json:"build,omitempty"`
	// Dir is the folder in which it starts, "" the one that Sonde is in.
	Dir string `json:"dir,omitempty"`
	// Env is added to Sonde's own environment. In values PortHere is the port,
	// and "${NAME}" the variable NAME of Sonde's environment. PORT is set to
	// the port unless it is here.
	Env map[string]string `json:"env,omitempty"`
	// Port is for services that cannot listen on another; 0 takes a free one
	// for each copy.
	Port  int             `json:"port,omitempty"`
	Ready ReadinessCheck  `json:"ready,omitzero"`
	Stop  ShutdownOptions `json:"stop,omitzero"`
	// Log is the file that takes what the service prints; a second copy's is
	// named like it, with the copy's number. Where it is "" only the last
	// lines are kept, for as long as the run lasts.
	Log string `json:"log,omitempty"`
}

// Driver starts, resets and stops the service in the place of Sonde, and sees into
// it: docs/driver.md is how it is asked to.
type Driver struct {
	// URL is where the driver is. Where Run starts it, it may hold PortHere.
	URL string
	// Run is how to start the driver itself, nil where somebody else does.
	Run *Service
	// Path is put behind the service's base URL where that has no path.
	Path string
	// Blind tells that only the person sees what the driver tells: the search goes
	// on black-box.
	Blind bool
}

// SupportsCopies reports whether there can be several of the driver, each with a copy of the
// service.
func (d *Driver) SupportsCopies() bool {
	return d.Run != nil && strings.Contains(d.URL, PortPlaceholder)
}

// GoBuild is how to build a service's Go main package with probes, in the folder in
// which the service starts.
type GoBuild struct {
	Package string `json:"package"`
	// Cover are the packages that have probes; without any those of the main module.
	Cover  []string `json:"cover,omitempty"`
	Tags   string   `json:"tags,omitempty"`
	Vendor bool     `json:"vendor,omitempty"`
	// SQL has the queries of database/sql watched, too.
	SQL bool `json:"sql,omitempty"`
}

// ReadinessCheck is how to find out that the service can be called.
type ReadinessCheck struct {
	// Path is fetched with GET behind the base URL, as a Reset's Path is.
	// Without one the service is ready when its port accepts connections.
	Path string `json:"path,omitempty"`
	// Status is the answer to wait for; 0 is any below 500.
	Status int `json:"status,omitempty"`
	// Timeout is how long to wait; 0 is 30 s.
	Timeout time.Duration `json:"timeout,omitempty"`
}

// ShutdownOptions is how the service is asked to end.
type ShutdownOptions struct {
	// Signal is "TERM", "INT", "HUP", "QUIT" or "KILL"; "" is "TERM". On Windows
	// the service is killed at once.
	Signal string `json:"signal,omitempty"`
	// Timeout is how long the service may take before it is killed; 0 is 5 s.
	Timeout time.Duration `json:"timeout,omitempty"`
}

// Reset brings the service back to its first state: by a request, if Path is
// set, by a command, or by a restart. Exactly one of the three is set, and the
// last needs a Service.
type Reset struct {
	Method string `json:"method,omitempty"`
	// Path is the path and query behind the base URL.
	Path string `json:"path,omitempty"`
	// Header is what the request carries; "${NAME}" in a value is the variable
	// NAME of Sonde's environment.
	Header map[string]string `json:"header,omitempty"`
	Body   *Payload          `json:"body,omitempty"`

	// Command is a program and its arguments, without a shell, run in the
	// Service's folder and with its environment. PortHere in it stands for the
	// port. Exit code 0 is success.
	Command []string `json:"command,omitempty"`

	// Restart stops the service and starts it again.
	Restart bool `json:"restart,omitempty"`
}

// String names the reset as a person would: "POST /reset".
func (r Reset) String() string {
	switch {
	case r.Restart:
		return "restart"
	case len(r.Command) > 0:
		return strings.Join(r.Command, " ")
	}
	return r.Method + " " + r.Path
}

// FaultKind tells how a service failed to answer: it is the name of the oracle
// that this breaks.
type FaultKind string

// The ways to fail without an answer.
const (
	ServiceDied  FaultKind = "crash"
	ServiceHangs FaultKind = "hang"
	// NoAnswer is a connection closed, or nothing said in time, by a service
	// that lives on.
	NoAnswer FaultKind = "no-answer"
)
