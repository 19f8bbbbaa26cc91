package runner

import (
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/probe"
)

// watch reads what the probes in one copy of the service saw, test by test. A nil
// one reads nothing. One goroutine at a time owns it.
//
// What a service does for a test it has mostly done when its last answer is
// there: net/http sends what fits into its buffer, and the end of what does not,
// when the handler has returned. What goes on in the background is waited for
// where it matters. A test that covers something new, and each of the next few
// after one behind which something moved, is read again when nothing has moved
// for a while. Else nobody waits; what has moved since the test was read counts
// for it still, as long as the next one has not begun. What a service does later
// than that counts for another test.
type watch struct {
	memory *probe.Memory
	reader *probe.Reader
	blind  bool   // nobody reads before the end
	told   int    // how many of the targets that the run covered the reader knows of
	stir   uint64 // the reader's at the last reading
	wary   int    // tests that are still waited for
	begun  bool

	marking bool        // the next test is a sweep
	marks   map[int]int // see played

	setUp, late, seen []model.Score // see played
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

func newWatch(m *probe.Manifest, p *model.Probes) (*watch, error) {
	if p == nil {
		return nil, nil
	}
	memory, err := probe.NewMemory(m)
	if err != nil {
		return nil, err
	}
	return &watch{memory: memory, reader: probe.NewReader(m, memory), blind: p.Blind, wary: wary}, nil
}

// env is what the service's environment needs.
func (w *watch) env() []string {
	if w == nil {
		return nil
	}
	return []string{w.memory.Env()}
}

// tell lets the reader ask no more for what is covered: the paper's "only what is
// asked for". Order are the targets in the order in which they were covered.
func (w *watch) tell(order []int) {
	if w == nil {
		return
	}
	for ; w.told < len(order); w.told++ {
		w.reader.Ask(order[w.told], false)
	}
}

// also lets the reader ask for some targets that are covered, or not any more.
func (w *watch) also(targets []int, want bool) {
	for _, i := range targets {
		w.reader.Ask(i, want)
	}
}

// behind is what looks behind each call what is covered since the one before, nil
// where nobody sees.
func (w *watch) behind() func(call int) {
	if w == nil || w.blind {
		return nil
	}
	return w.mark
}

// mark notes what a call of a sweep is the first to cover. What the service does
// for it in the background may be missed, or taken for the next call's.
func (w *watch) mark(call int) {
	if !w.marking {
		return
	}
	for _, sc := range w.reader.Reached(nil) {
		if _, known := w.marks[sc.Number]; covering(sc) && !known {
			w.marks[sc.Number] = call
		}
	}
}

// before reads what has moved since the last test was read.
func (w *watch) before() {
	if w == nil || w.blind {
		return
	}
	w.setUp, w.late, w.seen, w.marks = nil, nil, nil, map[int]int{}
	if w.begun && w.reader.Stir() != w.stir {
		w.late, w.wary = w.reader.Better(nil), wary
	}
}

// begin is called when the service is as it should be and a test begins. What it
// took to start and reset the service shows before the first.
func (w *watch) begin() {
	if w == nil || w.blind {
		return
	}
	if !w.begun {
		w.begun, w.setUp = true, w.reader.Reached(nil)
		w.reader.DropCovered()
	}
	w.reader.Reset()
}

// end is called when a test was played.
func (w *watch) end() {
	if w == nil || w.blind {
		return
	}
	w.read()
	if (w.wary > 0 || slices.ContainsFunc(w.seen, covering)) && w.settle() {
		w.read()
	}
	w.wary = max(w.wary-1, 0)
}

func (w *watch) read() {
	w.stir = w.reader.Stir() // before: what moves meanwhile is late
	w.seen = w.reader.Reached(nil)
}

func covering(s model.Score) bool { return s.H >= 1 }

// settle waits until nothing has moved for a while, and tells whether anything did
// since the last reading.
func (w *watch) settle() bool {
	last, start := w.stir, time.Now()
	for still := start; time.Since(still) < quiet && time.Since(start) < patient; {
		time.Sleep(quiet / 8)
		if now := w.reader.Stir(); now != last {
			last, still = now, time.Now()
		}
	}
	if last != w.stir {
		w.wary = wary
	}
	return last != w.stir
}

// calm is called when calls of no test have moved the service.
func (w *watch) calm() {
	if w != nil {
		w.stir = w.reader.Stir()
	}
}

// attached tells whether the service shares its probes' memory.
func (w *watch) attached() bool { return w != nil && w.memory.Attached() > 0 }

func (w *watch) close() {
	if w != nil {
		_ = w.memory.Close() // it only leaves a file of temporary ones
	}
}
