package runner

import (
	"context"
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

// begin asks no more for what it took to start the service.
func (p *probed) begin(context.Context) error {
	if !p.begun {
		p.begun = true
		p.reader.DropCovered()
	}
	p.reader.Reset()
	return nil
}

func (p *probed) now(context.Context) ([]model.Score, error) { return p.reader.Reached(nil), nil }

func (p *probed) rested(context.Context) ([]model.Score, error) {
	seen := p.read()
	if (p.wary > 0 || slices.ContainsFunc(seen, covering)) && p.settle() {
		seen = p.read()
	}
	p.wary = max(p.wary-1, 0)
	return seen, nil
}

func (p *probed) read() []model.Score {
	p.stir = p.reader.Stir() // before: what moves meanwhile is late
	return p.reader.Reached(nil)
}

// settle waits until nothing has moved for a while, and tells whether anything did
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

func (p *probed) late(context.Context) ([]model.Score, error) {
	if p.reader.Stir() == p.stir {
		return nil, nil
	}
	p.wary = wary
	return p.reader.Better(nil), nil
}

func (p *probed) compared() []model.Compared { return p.reader.Compared(nil) }

func (p *probed) calm() { p.stir = p.reader.Stir() }

func (p *probed) ask(target int, _ string, want bool) { p.reader.Ask(target, want) }

// attached tells whether the service shares its probes' memory.
func (p *probed) attached() bool { return p.memory.Attached() > 0 }

func (p *probed) close() { _ = p.memory.Close() } // it only leaves a file of temporary ones
