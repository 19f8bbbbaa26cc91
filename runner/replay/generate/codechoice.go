package generate

import (
	"cmp"
	"container/heap"

	"sonde/model"
)

// NewCode is the amount of code that an exchange runs and that no exchange chosen before it runs.
type NewCode struct {
	Statements int `json:"statements"`
	Branches   int `json:"branches"`
}

// size is the number of statements and branches.
func (n NewCode) size() int { return n.Statements + n.Branches }

// codeCoverage is the code that some exchanges run.
type codeCoverage struct {
	statements []int // number of statements of each code target, 0 for a branch
	covered    model.TargetSet
}

// newIn returns how much code of a set of targets is not covered.
func (c *codeCoverage) newIn(set model.TargetSet) (n NewCode) {
	for target := range set.Without(c.covered) {
		if target >= len(c.statements) {
			break // the recording does not describe the target
		}
		if count := c.statements[target]; count > 0 {
			n.Statements += count
		} else {
			n.Branches++
		}
	}
	return n
}

// add adds a set of targets, and returns how much of it was not covered before.
func (c *codeCoverage) add(set model.TargetSet) NewCode {
	n := c.newIn(set)
	c.covered.AddAll(set)
	return n
}

// chooseByCode makes tests of exchanges that run new code: code that no chosen exchange runs. It always takes the
// exchange with the most new code; of several, the first. If the service answered other requests at the same time, the
// recorded code of an exchange may belong to those. Such exchanges are taken after all others.
func (c *choice) chooseByCode(exchanges []*recordedExchange) {
	for _, byOthers := range []bool{false, true} {
		var queue gainQueue
		for _, x := range exchanges {
			if x.Covered == nil || x.CoveredByOthers != byOthers || x.op == nil || !c.wants(x) {
				continue
			}
			if gain := c.code.newIn(x.Covered).size(); gain > 0 {
				queue = append(queue, queuedExchange{x, gain})
			}
		}
		heap.Init(&queue)
		for len(queue) > 0 {
			c.takeNext(&queue)
		}
	}
}

// takeNext takes the exchange at the head of a queue and makes its test. The gain of an exchange is the size of its new
// code. It may have become smaller since the exchange was queued, but not greater. If it has become smaller, takeNext
// makes no test: it queues the exchange again, or drops the exchange if the gain is 0.
func (c *choice) takeNext(queue *gainQueue) {
	head := heap.Pop(queue).(queuedExchange)
	gain := c.code.newIn(head.exchange.Covered).size()
	switch {
	case gain == head.gain:
		c.makeTest(head.exchange)
	case gain > 0:
		heap.Push(queue, queuedExchange{head.exchange, gain})
	}
}

// queuedExchange is an exchange with the size of its new code when it was queued.
type queuedExchange struct {
	exchange *recordedExchange
	gain     int
}

// gainQueue has the exchange with the greatest gain first. It implements heap.Interface.
type gainQueue []queuedExchange

// Len returns the number of exchanges.
func (q gainQueue) Len() int { return len(q) }

// Less reports whether exchange i comes before exchange j.
func (q gainQueue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].gain, q[i].gain), cmp.Compare(q[i].exchange.index, q[j].exchange.index)) < 0
}

// Swap swaps two exchanges.
func (q gainQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push adds an exchange at the end.
func (q *gainQueue) Push(x any) { *q = append(*q, x.(queuedExchange)) }

// Pop removes the last exchange.
func (q *gainQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// CodeChoice says how much code the recorded requests run, and how much of it the requests with a test run.
type CodeChoice struct {
	// ByTest has, by the ID of a test, the new code for which the exchange of the test was chosen.
	ByTest map[string]NewCode
	// Recorded is the code that the requests of the recording run. Chosen is the part of this code that the requests
	// with a test run.
	Recorded, Chosen NewCode
}

// codeChoice returns how much code all exchanges run, and how much of it the exchanges of some tests run. It returns
// nil if the recording does not say which code ran.
func (r *recordingIndex) codeChoice(tests []chosenTest) *CodeChoice {
	if r.rec.CodeStatements == nil {
		return nil
	}
	all := &CodeChoice{ByTest: map[string]NewCode{}}
	recorded, chosen := codeCoverage{statements: r.rec.CodeStatements}, codeCoverage{statements: r.rec.CodeStatements}
	for _, x := range r.exchanges {
		all.Recorded = all.Recorded.plus(recorded.add(x.Covered))
	}
	for _, t := range tests {
		all.Chosen = all.Chosen.plus(chosen.add(t.exchange.Covered))
		if t.newCode != (NewCode{}) {
			all.ByTest[t.test.ID] = t.newCode
		}
	}
	return all
}

func (n NewCode) plus(o NewCode) NewCode {
	return NewCode{Statements: n.Statements + o.Statements, Branches: n.Branches + o.Branches}
}
