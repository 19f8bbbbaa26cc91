package mutate

import (
	"fmt"
	"path/filepath"
	"strings"

	"sonde/runner/probe"
)

// reach is how far the tests' calls come in a service: its blocks, by file.
type reach map[string][]block

// block is some statements that run one after the other.
type block struct {
	from, upTo place
	started    bool // reached when the service starts or ends, if by no call
	called     bool
}

// touch is how a place is reached.
type touch int

const (
	never touch = iota
	whenStarted
	byCalls
)

// counts are how often blocks were reached by so many processes.
type counts struct {
	blocks    []probe.Block
	processes int
}

// newReach tells what calls reach: more than as many processes do which nobody calls.
func newReach(idle, called counts) (reach, error) {
	started := map[string]int{}
	for _, b := range idle.blocks {
		started[b.Place] = b.Times
	}
	r := reach{}
	for _, b := range called.blocks {
		of := block{started: started[b.Place] > 0, called: b.Times*max(1, idle.processes) > started[b.Place]*called.processes}
		at := strings.LastIndexByte(b.Place, ':')
		if _, err := fmt.Sscanf(b.Place[at+1:], "%d.%d,%d.%d", &of.from.line, &of.from.column, &of.upTo.line, &of.upTo.column); err != nil {
			return nil, fmt.Errorf("a block at %q: %w", b.Place, err)
		}
		name := b.Place[:max(at, 0)]
		r[name] = append(r[name], of)
	}
	return r, nil
}

// touches tells how a mutant's place is reached.
func (r reach) touches(m Mutant) touch {
	best := never
	for _, p := range m.at {
		best = max(best, r.along(p))
	}
	return best
}

// along tells it of the innermost place that is in a block.
func (r reach) along(p path) touch {
	for _, at := range p {
		for _, b := range r[at.file] {
			if at.before(b.from) || !at.before(b.upTo) {
				continue
			}
			switch {
			case b.called:
				return byCalls
			case b.started:
				return whenStarted
			}
			return never
		}
	}
	return never
}

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

// processesIn is how many processes left their counts in a folder.
func processesIn(dir string) int {
	files, _ := filepath.Glob(filepath.Join(dir, "covcounters.*")) // the pattern is right
	return len(files)
}
