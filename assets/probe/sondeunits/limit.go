package sondeunits

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sonde/assets/probe/sondevalue"
)

const (
	maxCalls      = 200 // calls of an invocation
	maxTried      = 300 // invocations of a function that are recorded before the best are chosen
	maxKept       = 40  // invocations of a function that are written
	maxKeptShape  = 3   // invocations of a function with the same shape that are written
	maxUseless    = 20  // invocations of a function in a row that are not written, before only some are recorded
	recordedEach  = 4   // then each fourth is recorded
	maxSpentShare = 0.2 // share of each second that is spent on recording
)

// limit decides which invocations of a function are recorded and written: the first of each shape.
type limit struct {
	tried   atomic.Int32
	useless atomic.Int32 // invocations since the last one that was written
	passed  atomic.Int32 // invocations since there are too many useless ones
	mu      sync.Mutex
	kept    int
	shapes  map[string]int
}

// limits has an entry for each function.
var limits = make([]limit, len(functions))

// admit reports whether the next invocation is recorded.
func (l *limit) admit() bool {
	if l.tried.Load() >= maxTried || spent.exhausted() {
		return false
	}
	if l.useless.Load() >= maxUseless && l.passed.Add(1)%recordedEach != 0 {
		return false
	}
	return l.tried.Add(1) <= maxTried
}

// keep reports whether an invocation is written.
func (l *limit) keep(i *sondevalue.Invocation) bool {
	shape := shapeOf(i)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == maxKept || l.shapes[shape] == maxKeptShape {
		l.useless.Add(1)
		return false
	}
	l.useless.Store(0)
	if l.shapes == nil {
		l.shapes = map[string]int{}
	}
	l.kept++
	l.shapes[shape]++
	if l.kept == maxKept {
		l.tried.Store(maxTried)
	}
	return true
}

// shapeOf returns what two invocations have in common that take the same way: the calls, and which results and inputs are
// zero values.
func shapeOf(i *sondevalue.Invocation) string {
	var b strings.Builder
	b.WriteString(i.Why)
	addKinds(&b, i.Before.Args)
	addKinds(&b, i.Results)
	last := -1
	for _, c := range i.Calls {
		if c.Site != last { // a loop that calls the same site again
			b.WriteByte(byte('0' + c.Site%70))
			addKinds(&b, c.Results)
		}
		last = c.Site
	}
	if i.Panicked {
		b.WriteByte('!')
	}
	return b.String()
}

func addKinds(b *strings.Builder, all []sondevalue.Value) {
	for _, v := range all {
		b.WriteByte('/')
		b.WriteString(string(v.Kind))
		if v.Kind == sondevalue.Global {
			b.WriteString(v.Text) // an error
		}
	}
}

// spent is the time that this package has needed in the current second.
var spent stopwatch

type stopwatch struct {
	second atomic.Int64
	nanos  atomic.Int64
}

func (s *stopwatch) add(d time.Duration) {
	now := time.Now().Unix()
	if s.second.Swap(now) != now {
		s.nanos.Store(0)
	}
	s.nanos.Add(d.Nanoseconds())
}

// exhausted reports whether this second has no time left for recording.
func (s *stopwatch) exhausted() bool {
	return s.nanos.Load() > int64(maxSpentShare*float64(time.Second)) && s.second.Load() == time.Now().Unix()
}
