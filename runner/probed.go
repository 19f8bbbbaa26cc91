package runner

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/probe"
)

// probed reads what the probes in one copy of the service saw.
//
// Most of what a service does for a test it has done when its last answer is
// there: net/http sends what fits into its buffer, and the end of what does not,
// when the handler has returned. What goes on in the background is waited for
// where it matters. A test that covers something new, and each of the next few
// after one behind which something moved, is read again when nothing has moved
// for a while. Else nobody waits.
type probed struct {
	memory *probe.Memory
	reader *probe.Reader
	stir   uint64 // the reader's at the last reading
	wary   int    // tests that are still waited for
	begun  bool
}

const (
	// quiet is how long nothing moves in a service that has come to rest: more than
	// it takes to begin what was put off, and to hand it to another thread. A
	// service that does not come to rest is not waited for any longer than patient.
	quiet   = time.Millisecond
	patient = 5 * time.Millisecond
	// wary is for how many tests the service is waited for once it moved behind one,
	// and at first.
	wary = 20
)

func newProbed(m *probe.Manifest) (*probed, error) {
	memory, err := probe.NewMemory(m)
	if err != nil {
		return nil, err
	}
	return &probed{memory: memory, reader: probe.NewReader(m, memory), wary: wary}, nil
}

// errCut is of a file that was as long as it should be when it was made.
var errCut = errors.New("the file that the service's probes share with Sonde was cut short: let nobody else write to it")

// safely touches the probes' memory. A file that somebody cuts short is none
// behind its end, which would end Sonde.
func (p *probed) safely(touch func()) (err error) {
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
func (p *probed) begin(context.Context) error {
	return p.safely(func() {
		if !p.begun {
			p.begun = true
			p.reader.DropCovered()
		}
		p.reader.Reset()
	})
}

func (p *probed) now(context.Context) (seen []model.Score, err error) {
	err = p.safely(func() { seen = p.reader.Reached(nil) })
	return seen, err
}

func (p *probed) rested(context.Context) (seen []model.Score, err error) {
	err = p.safely(func() {
		seen = p.read()
		if (p.wary > 0 || slices.ContainsFunc(seen, covering)) && p.settle() {
			seen = p.read()
		}
	})
	p.wary = max(p.wary-1, 0)
	return seen, err
}

func (p *probed) read() []model.Score {
	p.stir = p.reader.Stir() // before: what moves meanwhile is late
	return p.reader.Reached(nil)
}

// settle waits until nothing has moved for a while, and reports whether anything did
// since the last reading.
func (p *probed) settle() bool {
	last, start := p.stir, time.Now()
	for still := start; time.Since(still) < quiet && time.Since(start) < patient; {
		time.Sleep(quiet / 8)
		if now := p.reader.Stir(); now != last {
			last, still = now, time.Now()
		}
	}
	if last != p.stir {
		p.wary = wary
	}
	return last != p.stir
}

func (p *probed) late(context.Context) (seen []model.Score, err error) {
	err = p.safely(func() {
		if p.reader.Stir() != p.stir {
			p.wary, seen = wary, p.reader.Better(nil)
		}
	})
	return seen, err
}

// What follows tells no error: begin will, which touches all of the memory.

func (p *probed) compared() (all []model.Compared) {
	_ = p.safely(func() { all = p.reader.Compared(nil) })
	return all
}

func (p *probed) calm() { _ = p.safely(func() { p.stir = p.reader.Stir() }) }

func (p *probed) ask(target int, _ string, want bool) {
	_ = p.safely(func() { p.reader.Ask(target, want) })
}

// attached reports whether the service shares its probes' memory.
func (p *probed) attached() (yes bool) {
	_ = p.safely(func() { yes = p.memory.Attached() > 0 })
	return yes
}

func (p *probed) close() { _ = p.memory.Close() } // it only leaves a file of temporary ones
