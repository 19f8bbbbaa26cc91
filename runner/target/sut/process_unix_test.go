//go:build unix

package sut

import (
	"syscall"
	"testing"

	"sonde/model"
)

// After the service was stopped or has ended by itself, all processes of its group have ended, including the guard.
func TestGuardEnds(t *testing.T) {
	for _, stop := range []bool{true, false} {
		s := start(t, model.Plan{Service: service(t)})
		p := s.(*started).process
		if p.guard == nil {
			t.Fatal("nothing guards it")
		}
		if stop {
			s.Stop()
		} else {
			call(t, s, "POST", "/exit")
			until(t, "its end", func() bool { return s.ExitFailure() != nil })
		}
		until(t, "the end of its group", func() bool { return syscall.Kill(-p.cmd.Process.Pid, 0) != nil })
	}
}
