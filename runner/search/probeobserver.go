package search

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/instrument/probedata"
)

// probeObserver reads the probes in one copy of the service.
//
// When the last answer of a test arrives, the service has done most of its work: net/http sends
// buffered output when the handler returns. Background work is waited for only where it matters:
// after a test that covers something new, and after the next few tests once activity was seen after
// an answer. Such a test is read again when the probes have been quiet for a while.
type probeObserver struct {
	memory      *probedata.Memory
	reader      *probedata.Reader
	activity    uint64 // fingerprint of the probes at the last reading
	settleTests int    // tests after which the service is still waited for
	begun       bool
}

const (
	// quietTime is how long the probes of a quiet service do not change: longer than it takes to
	// start deferred work or to hand it to another thread. A service that does not become quiet
	// is waited for maxSettleTime at most.
	quietTime     = time.Millisecond
	maxSettleTime = 5 * time.Millisecond
	// settleCount is the number of tests after which the service is waited for: at the start, and
	// each time activity was seen after a test.
	settleCount = 20
)

func newProbeObserver(m *probedata.Manifest) (*probeObserver, error) {
	memory, err := probedata.NewMemory(m)
	if err != nil {
		return nil, err
	}
	return &probeObserver{memory: memory, reader: probedata.NewReader(m, memory), settleTests: settleCount}, nil
}

// errCut is the error of a probe file that became shorter after it was created.
var errFileCut = errors.New("the file that the service's probes share with Sonde was cut short: no other process may write to it")

// safely calls a function that reads the probes' memory. If the mapped file was cut short, reading
// past its end faults, which would end Sonde.
func (p *probeObserver) safely(touch func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch caught := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			err = errFileCut
		default:
			panic(caught)
		}
	}()
	touch()
	return nil
}

// begin excludes from now on what starting the service covered.
func (p *probeObserver) begin(context.Context) error {
	return p.safely(func() {
		if !p.begun {
			p.begun = true
			p.reader.DropCovered()
		}
		p.reader.Reset()
	})
}

func (p *probeObserver) reached(context.Context) (seen []model.Score, err error) {
	err = p.safely(func() { seen = p.reader.AppendScores(nil) })
	return seen, err
}

func (p *probeObserver) settled(context.Context) (seen []model.Score, err error) {
	err = p.safely(func() {
		seen = p.readScores()
		if (p.settleTests > 0 || slices.ContainsFunc(seen, isCovered)) && p.settle() {
			seen = p.readScores()
		}
	})
	p.settleTests = max(p.settleTests-1, 0)
	return seen, err
}

func (p *probeObserver) readScores() []model.Score {
	p.activity = p.reader.Fingerprint() // before: what moves meanwhile is late
	return p.reader.AppendScores(nil)
}

// settle waits until the probes are quiet, and reports whether they changed since the last reading.
func (p *probeObserver) settle() bool {
	last, start := p.activity, time.Now()
	for still := start; time.Since(still) < quietTime && time.Since(start) < maxSettleTime; {
		time.Sleep(quietTime / 8)
		if now := p.reader.Fingerprint(); now != last {
			last, still = now, time.Now()
		}
	}
	if last != p.activity {
		p.settleTests = settleCount
	}
	return last != p.activity
}

func (p *probeObserver) lateScores(context.Context) (seen []model.Score, err error) {
	err = p.safely(func() {
		if p.reader.Fingerprint() != p.activity {
			p.settleTests, seen = settleCount, p.reader.AppendImproved(nil)
		}
	})
	return seen, err
}

// The functions below report no error: begin will, because it reads all of the memory.

func (p *probeObserver) compared() (all []model.ComparedOperands) {
	_ = p.safely(func() { all = p.reader.AppendOperands(nil) })
	return all
}

func (p *probeObserver) ignoreActivity() {
	_ = p.safely(func() { p.activity = p.reader.Fingerprint() })
}

func (p *probeObserver) setWanted(target int, _ string, want bool) {
	_ = p.safely(func() { p.reader.SetWanted(target, want) })
}

// attached reports whether the service shares its probes' memory.
func (p *probeObserver) attached() (yes bool) {
	_ = p.safely(func() { yes = p.memory.Attached() > 0 })
	return yes
}

func (p *probeObserver) close() { _ = p.memory.Close() } // it only leaves a file of temporary ones
