package runner

import (
	"fmt"
	"slices"
	"strconv"

	"sonde/model"
)

// targets are what a run searches for, by number: the (operation, status) pairs
// that the spec declares, in its order; behind them the hopes; and behind those
// what is seen besides.
type targets struct {
	ids      []string       // by number
	numbers  map[string]int // by ID
	ops      []model.OpID   // that they are about, "" for none
	hosts    int            // how many are of what hosts did
	covered  []bool
	done     int // how many are covered
	declared int // how many are declared
	goals    map[model.OpID]*goals
	at       []int // of scores: 1 + where a target stands in the list, 0 for not at all
	listed   []int // of scores: the targets in the list
	list     []model.Score
}

// goals are the targets of one operation.
type goals struct {
	declared []pair
	seen     []pair // what was answered, be it declared or not
	// hope is a goal that is never covered: to find the operation's next server
	// error, which no document promises. Without it the search would leave an
	// operation alone once all that it declares is covered, and with it what it
	// takes a long chain to come to.
	hope    int
	chained bool // it works on a resource that others can create
}

// pair is a status, and the number of the target to be answered with it.
type pair struct{ status, target int }

func newTargets(spec *model.Spec, templates []model.Template) *targets {
	t := &targets{numbers: map[string]int{}, goals: map[model.OpID]*goals{}}
	for _, op := range spec.Operations {
		t.goals[op.ID] = &goals{declared: t.declare(op)}
	}
	t.declared = len(t.ids)
	for _, op := range spec.Operations {
		t.goals[op.ID].hope = t.number(string(op.ID)+" 5xx", op.ID)
	}
	for _, tpl := range templates {
		for _, l := range tpl.Links {
			if l.To == len(tpl.Steps)-1 && l.In == model.InPath {
				t.goals[tpl.Target()].chained = true
			}
		}
	}
	return t
}

// declare numbers what the spec declares of an operation.
func (t *targets) declare(op *model.Operation) []pair {
	var all []pair
	for _, r := range op.Responses {
		if status, err := strconv.Atoi(r.Status); err == nil && status >= 200 {
			all = append(all, pair{status, t.number(answered(op.ID, status), op.ID)})
		}
	}
	return all
}

func answered(op model.OpID, status int) string { return fmt.Sprintf("%s %d", op, status) }

// number returns the number of a target, which is given once.
func (t *targets) number(id string, op model.OpID) int {
	n, known := t.numbers[id]
	if !known {
		n = len(t.ids)
		t.numbers[id] = n
		t.ids, t.ops = append(t.ids, id), append(t.ops, op)
		t.covered, t.at = append(t.covered, false), append(t.at, 0)
	}
	return n
}

// given is how many targets there are from the start: those that are declared,
// and the hopes.
func (t *targets) given() int { return t.declared + len(t.goals) }

// all returns the IDs of what to search for.
func (t *targets) all() []string { return slices.Clone(t.ids[:t.given()]) }

// mostStatuses is how many statuses of an operation are targets of their own, and
// so keep a test each. A service that makes up more has them count as the first
// of their class, which is what RFC 9110, 15 lets a client make of a status that
// it does not know.
const mostStatuses = 32

// answer returns the number of the target to be answered so.
func (t *targets) answer(op model.OpID, status int) int {
	g := t.goals[op]
	for _, p := range g.seen {
		if p.status == status {
			return p.target
		}
	}
	if len(g.seen) >= mostStatuses && !g.declares(status) {
		return t.number(answered(op, status/100*100), op)
	}
	n := t.number(answered(op, status), op)
	g.seen = append(g.seen, pair{status, n})
	return n
}

func (g *goals) declares(status int) bool {
	return slices.ContainsFunc(g.declared, func(p pair) bool { return p.status == status })
}

// last returns for each target the last call that covers it.
func (t *targets) last(test model.Test, wanted []string) []int {
	var calls []int
	for _, id := range wanted {
		for i, c := range slices.Backward(test.Calls) {
			if c.Status > 0 && t.ids[t.answer(c.Op, c.Status)] == id {
				calls = append(calls, i)
				break
			}
		}
	}
	return calls
}

// coveredOf are the scores of the targets that are covered.
func coveredOf(all []model.Score) []model.Score {
	return slices.DeleteFunc(all, func(sc model.Score) bool { return !covering(sc) })
}

// operation returns the operation that a target is about, "" where it is none of
// a status.
func (t *targets) operation(id string) model.OpID {
	if n, known := t.numbers[id]; known {
		return t.ops[n]
	}
	return ""
}

// cover notes that a target is covered.
func (t *targets) cover(id string) {
	if n := t.number(id, ""); !t.covered[n] {
		t.covered[n] = true
		t.done++
	}
}

// open reports whether a target is not covered.
func (t *targets) open(id string) bool {
	n, known := t.numbers[id]
	return !known || !t.covered[n]
}

// score is one with the target's ID, and its number where the search knows it.
func (t *targets) score(target int, h float64) model.Score {
	s := model.Score{Target: t.ids[target], H: h}
	if target < t.given() {
		s.Number = target + 1
	}
	return s
}
