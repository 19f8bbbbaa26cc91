package mutate

import (
	"fmt"
	"path/filepath"
	"strings"

	"sonde/runner/instrument/probe"
)

// reach has the blocks of a service, by file, and how the tests reach them.
type reach map[string][]block

// block is a block of statements, as in coverage profiles.
type block struct {
	from, to place
	started  bool // reached when the service starts or ends
	called   bool // reached by calls of the tests
}

// reachKind says what reaches a block, if anything does.
type reachKind int

const (
	notReached reachKind = iota
	whenStarted
	byCalls
)

// counts has the number of times that each block was reached, in all processes together.
type counts struct {
	blocks    []probe.CoverBlock
	processes int
}

// newReach returns how blocks are reached. idle has the counts of a run without calls, and called has the counts of a
// run with the tests' calls. Calls reach a block if the block ran more often per process with calls than without.
func newReach(idle, called counts) (reach, error) {
	started := map[string]int{}
	for _, b := range idle.blocks {
		started[b.Place] = b.Times
	}
	r := reach{}
	for _, b := range called.blocks {
		of := block{started: started[b.Place] > 0, called: b.Times*max(1, idle.processes) > started[b.Place]*called.processes}
		at := strings.LastIndexByte(b.Place, ':')
		if _, err := fmt.Sscanf(b.Place[at+1:], "%d.%d,%d.%d", &of.from.line, &of.from.column, &of.to.line, &of.to.column); err != nil {
			return nil, fmt.Errorf("a block at %q: %w", b.Place, err)
		}
		name := b.Place[:max(at, 0)]
		r[name] = append(r[name], of)
	}
	return r, nil
}

// howReached returns how a mutant is reached. It returns byCalls if calls reach at least one of the mutant's paths,
// else whenStarted if the start or the end of the service reaches one, else notReached.
func (r reach) howReached(m Mutant) reachKind {
	best := notReached
	for _, p := range m.places {
		best = max(best, r.alongPath(p))
	}
	return best
}

// alongPath returns how a path is reached. It looks for the innermost place of the path that is in a block, and
// returns how this block is reached. It returns notReached if no place is in a block.
func (r reach) alongPath(p path) reachKind {
	for _, at := range p {
		for _, b := range r[at.file] {
			if at.before(b.from) || !at.before(b.to) {
				continue
			}
			switch {
			case b.called:
				return byCalls
			case b.started:
				return whenStarted
			}
			return notReached
		}
	}
	return notReached
}

// before reports whether p is before q. Both must be in the same file.
func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

// processesIn returns the number of processes that left coverage in a folder.
func processesIn(dir string) int {
	files, _ := filepath.Glob(filepath.Join(dir, "covcounters.*")) // the pattern is valid
	return len(files)
}
