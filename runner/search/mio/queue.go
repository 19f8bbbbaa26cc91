package mio

import "math/rand/v2"

// queue orders targets, given by their indexes, by the counters of feedback-directed sampling. The counter of a
// target of weight w rises by one for every w draws. No operation takes longer if there are more targets.
type queue struct {
	lowest *level
	places []place // place of each target; a target without a level is not in the queue
}

// level holds the targets with the same counter. Levels are linked in the order of their counters. No level is empty.
type level struct {
	counter    int
	targets    []int
	prev, next *level
}

// place is the position of a target in the queue.
type place struct {
	level  *level
	at     int     // index into the level's targets
	weight float64 // above 0
	drawn  float64 // the fraction that draws have added to the counter so far, below 1
}

// reset sets a target's counter, and adds the target if it is not in the queue. The time that reset takes grows with
// counter, which is small.
func (q *queue) reset(target int, weight float64, counter int) {
	q.drop(target)
	if q.lowest == nil || q.lowest.counter > counter {
		q.insert(nil, counter)
	}
	at := q.lowest
	for at.next != nil && at.next.counter <= counter {
		at = at.next
	}
	if at.counter < counter {
		q.insert(at, counter)
		at = at.next
	}
	q.put(at, target)
	q.places[target].weight = weight
}

// drop removes a target from the queue. It does nothing if the queue does not have the target.
func (q *queue) drop(target int) {
	q.places = append(q.places, make([]place, max(0, target+1-len(q.places)))...)
	p := q.places[target]
	if p.level == nil {
		return
	}
	q.places[target] = place{}
	last := len(p.level.targets) - 1
	if moved := p.level.targets[last]; moved != target {
		p.level.targets[p.at] = moved
		q.places[moved].at = p.at
	}
	p.level.targets = p.level.targets[:last]
	if last == 0 {
		q.unlink(p.level)
	}
}

// draw returns a random target with the lowest counter. It raises the target's counter by the inverse of the weight.
// A fraction is kept, and added at the next draws. draw returns false if the queue is empty.
func (q *queue) draw(r *rand.Rand) (target int, ok bool) {
	l := q.lowest
	if l == nil {
		return 0, false
	}
	target = l.targets[r.IntN(len(l.targets))]
	p := &q.places[target]
	for p.drawn += 1 / p.weight; p.drawn >= 1; p.drawn-- {
		q.raise(p.level, target)
	}
	return target, true
}

// raise raises the counter of a target of level l by one.
func (q *queue) raise(l *level, target int) {
	above := l.next != nil && l.next.counter == l.counter+1
	if len(l.targets) == 1 && !above {
		l.counter++
		return
	}
	if !above {
		q.insert(l, l.counter+1)
	}
	to, was := l.next, q.places[target]
	q.drop(target)
	q.put(to, target)
	q.places[target].weight, q.places[target].drawn = was.weight, was.drawn
}

func (q *queue) put(l *level, target int) {
	q.places[target] = place{level: l, at: len(l.targets)}
	l.targets = append(l.targets, target)
}

// insert adds a level after another one, or at the front.
func (q *queue) insert(after *level, counter int) {
	l := &level{counter: counter, prev: after}
	if after == nil {
		l.next, q.lowest = q.lowest, l
	} else {
		l.next, after.next = after.next, l
	}
	if l.next != nil {
		l.next.prev = l
	}
}

func (q *queue) unlink(l *level) {
	if l.prev == nil {
		q.lowest = l.next
	} else {
		l.prev.next = l.next
	}
	if l.next != nil {
		l.next.prev = l.prev
	}
}
