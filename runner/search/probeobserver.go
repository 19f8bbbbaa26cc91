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

// probeObserver reads what the probes in one copy of the service saw.
//
// Most of what a service does for a test it has done when its last answer is
// there: net/http sends what fits into its buffer, and the end of what does not,
// when the handler has returned. What goes on in the background is waited for
// where it matters. A test that covers something new, and each of the next few
// after one behind which something moved, is read again when nothing has moved
// for a while. Else nobody waits.
type probeObserver struct {
	memory      *probedata.Memory
	reader      *probedata.Reader
	activity    uint64 // the reader's at the last reading
	settleTests int    // tests that are still waited for
	begun       bool
}

const (
	// quietTime is how long nothing moves in a service that has come to rest: more than
	// it takes to begin what was put off, and to hand it to another thread. A
	// service that does not come to rest is not waited for any longer than patient.
	quietTime     = time.Millisecond
	maxSettleTime = 5 * time.Millisecond
	// settleCount is for how many tests the service is waited for once it moved behind one,
	// and at first.
	settleCount = 20
)

func newProbeObserver(m *probedata.Manifest) (*probeObserver, error) {
	memory, err := probedata.NewMemory(m)
	if err != nil {
		return nil, err
	}
	return &probeObserver{memory: memory, reader: probedata.NewReader(m, memory), settleTests: settleCount}, nil
}

// errCut is of a file that was as long as it should be when it was made.
var errCut = errors.New("the file that the service's probes share with Sonde was cut short: let nobody else write to it")

// safely touches the probes' memory. A file that somebody cuts short is none
// behind its end, which would end Sonde.
func (p *probeObserver) safely(touch func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch caught := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			err = errCut
		default:
			panic(caught)
		}
	}()
	touch()
	return nil
}

// begin asks no more for what it took to start the service.
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

// settle waits until nothing has moved for a while, and reports whether anything did
// since the last reading.
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

// What follows tells no error: begin will, which touches all of the memory.

func (p *probeObserver) compared() (all []model.Compared) {
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
