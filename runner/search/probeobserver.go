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
// When the last answer of a test arrives, the service has done most of its work, because net/http sends
// buffered output when the handler returns. The observer waits for background work only after some tests:
// those that cover something new, the first few, and a few more each time it has seen activity after an
// answer. After the wait it reads the probes again.
type probeObserver struct {
	memory      *probedata.Memory
	reader      *probedata.Reader
	activity    uint64 // fingerprint of the probes at the last reading
	settleTests int    // number of further tests after which to wait for background work
	begun       bool   // the first test has begun
}

const (
	// quietTime is the time without a change of the probes after which the service counts as quiet. It is
	// longer than the service needs to start deferred work, also in another thread.
	quietTime = time.Millisecond
	// maxSettleTime bounds the wait for a service that does not become quiet.
	maxSettleTime = 5 * time.Millisecond
	// settleCount is the value of settleTests at the start, and after activity was seen.
	settleCount = 20
)

func newProbeObserver(m *probedata.Manifest) (*probeObserver, error) {
	memory, err := probedata.NewMemory(m)
	if err != nil {
		return nil, err
	}
	return &probeObserver{memory: memory, reader: probedata.NewReader(m, memory), settleTests: settleCount}, nil
}

// errFileCut is the error of a probe file that became shorter after it was created.
var errFileCut = errors.New("the file that the service's probes share with Sonde was cut short: no other process may write to it")

// safely calls a function that reads the memory of the probes. If the mapped file was cut short, reading past
// its end causes a fault that would end Sonde. safely returns errFileCut instead.
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

// beginStart forgets the scores so far, because the service starts again.
func (p *probeObserver) beginStart() error { return p.safely(p.reader.Reset) }

// begin implements observer. At the first test it also drops the targets that starting the service covered.
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

// readScores returns the current scores and sets the fingerprint.
func (p *probeObserver) readScores() []model.Score {
	p.activity = p.reader.Fingerprint() // read before the scores, so that changes in between count as late
	return p.reader.AppendScores(nil)
}

// settle waits until the probes are quiet, for at most maxSettleTime. It reports whether they changed since
// the last reading.
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

// The methods below ignore an error of safely. The next call of begin reports the error, because begin uses all of
// the memory.

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

// attached reports whether the service uses the memory that Sonde provides for its probes.
func (p *probeObserver) attached() (yes bool) {
	_ = p.safely(func() { yes = p.memory.Attached() > 0 })
	return yes
}

func (p *probeObserver) close() { _ = p.memory.Close() } // an error leaves a temporary file, nothing else
