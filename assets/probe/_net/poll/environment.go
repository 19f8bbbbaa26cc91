//go:build unix

package poll

import (
	"sync/atomic"
	"syscall"
)

// Package net sets these variables for other packages.
var (
	SondeEnvironment atomic.Pointer[SondeUseFunc] // decides about uses of resources; nil without a virtual network
	SondeRound       atomic.Uint64                // the number of the round; a new table or a sync command begins a round
)

// SondeUseFunc returns the outcome of a use of a resource, and counts the use.
type SondeUseFunc func(resource string) SondeUse

// SondeUse is the outcome of a use of a resource by the service. The zero value means that the real resource is
// used.
type SondeUse struct {
	Value    string
	HasValue bool
	Errno    syscall.Errno // the error with which the use fails, 0 for none
	After    int           // with ENOSPC, the number of bytes for which there is space
	By       string        // the pattern in the table that decided, "" for none
	Nth      uint64        // the number of earlier uses about which this pattern decided
}

// SondeReportUse reports a use of a resource to Sonde. uses is 1 for a new use. It is 0 for a part of an
// earlier use, such as reading a file that was opened.
var SondeReportUse atomic.Pointer[func(u SondeUse, resource, action string, failed bool, uses int)]

// Report reports a use of a resource, and counts it. The action says how the service uses it, such as "listen".
func (u SondeUse) Report(resource, action string, failed bool) { u.report(resource, action, failed, 1) }

// ReportContent reports that a file is read or written. It does not count that as a use, because it is a part
// of the use that opened the file.
func (u SondeUse) ReportContent(resource, action string, failed bool) {
	u.report(resource, action, failed, 0)
}

func (u SondeUse) report(resource, action string, failed bool, uses int) {
	if report := SondeReportUse.Load(); report != nil {
		(*report)(u, resource, action, failed, uses)
	}
}
