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

// Report reports a use of a resource. The action says how the service uses it, such as "listen".
func (u SondeUse) Report(resource, action string, failed bool) {
	report := SondeReport.Load()
	if report == nil {
		return
	}
	outcome := "ok"
	if failed {
		outcome = "failed"
	}
	(*report)("use", action, resource, u.By, sondeFormatUse(u.Nth), outcome)
}

func sondeFormatUse(n uint64) string {
	if n >= 10 {
		return sondeFormatUse(n/10) + sondeFormatUse(n%10)
	}
	return string(rune('0' + n))
}
