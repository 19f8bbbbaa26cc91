//go:build unix

package poll

import (
	"sync/atomic"
	"syscall"
)

// Package net sets these variables for other packages.
var (
	SondeEnvironment atomic.Pointer[SondeUseFunc] // what the service meets in its environment, nil without a virtual network
	SondeRound       atomic.Uint64                // grows with each table, and each time the other end waits for events
)

// SondeUseFunc returns what the service meets when it uses a resource of its environment, and counts the use.
type SondeUseFunc func(resource string) SondeUse

// SondeUse is what a service meets when it uses a resource. The zero value is what the real resource does.
type SondeUse struct {
	Value    string
	HasValue bool
	Errno    syscall.Errno // the use fails with this error
	After    int           // with ENOSPC, the number of bytes for which there is space
	By       string        // the pattern in the table that decided, "" for none
	Nth      uint64        // the number of earlier uses that it decided
}

// SondeReportUse reports a use of a resource. uses is 1, or 0 if it belongs to an earlier use, as reading a file does.
var SondeReportUse atomic.Pointer[func(u SondeUse, resource, action string, failed bool, uses int)]

// Report reports a use of a resource, and counts it. The action says how the service uses it, such as "listen".
func (u SondeUse) Report(resource, action string, failed bool) { u.report(resource, action, failed, 1) }

// ReportContent reports that the content of a file is used, which belongs to the use of the file.
func (u SondeUse) ReportContent(resource, action string, failed bool) {
	u.report(resource, action, failed, 0)
}

func (u SondeUse) report(resource, action string, failed bool, uses int) {
	if report := SondeReportUse.Load(); report != nil {
		(*report)(u, resource, action, failed, uses)
	}
}
