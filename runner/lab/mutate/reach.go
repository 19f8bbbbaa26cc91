package mutate

import (
	"fmt"
	"path/filepath"
	"strings"

	"sonde/runner/instrument/probe"
)

// reach is what the tests' calls reach of a service: its blocks, by file.
type reach map[string][]block

// block is a block of statements, as in coverage profiles.
type block struct {
	from, upTo place
	started    bool // reached at the start or end of the service
	called     bool
}

// touch is the way in which a place is reached.
type touch int

const (
	never touch = iota
	whenStarted
	byCalls
)

// counts is how often blocks were reached, in all processes together.
type counts struct {
	blocks    []probe.CoverBlock
	processes int
}

// newReach returns what calls reach: the blocks that run more often than in as many
// processes without calls.
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

// touches returns how a mutant is reached.
func (r reach) touches(m Mutant) touch {
	best := never
	for _, p := range m.at {
		best = max(best, r.along(p))
	}
	return best
}

// along returns how the innermost place of a path is reached that is in a block.
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

// processesIn returns how many processes left their counters in a folder.
func processesIn(dir string) int {
	files, _ := filepath.Glob(filepath.Join(dir, "covcounters.*")) // errors are those of the pattern
	return len(files)
}
