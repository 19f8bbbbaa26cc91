package sondeunits

import (
	"reflect"
	"sync"
	"testing"

	"sonde/assets/probe/sondevalue"
)

// invocations counts how many of n invocations are recorded and written. Their shapes are those of shape.
func (l *limit) invocations(n int, shape func(i int) string) (recorded, written int) {
	for i := range n {
		if l.admit() {
			recorded++
			if l.keep(&sondevalue.Invocation{Why: shape(i)}) {
				written++
			}
		}
	}
	return recorded, written
}

func TestLimit(t *testing.T) {
	same := func(int) string { return "" }
	for name, c := range map[string]struct {
		n                 int
		shape             func(int) string
		recorded, written int
	}{
		"the first of a shape":         {n: 10, shape: same, recorded: 10, written: 3},
		"each fourth after 20 useless": {n: 63, shape: same, recorded: 33, written: 3},
		"a new shape begins again": {
			n: 63 + 20, shape: func(i int) string { return string(rune('a' + i/63)) },
			recorded: 33 + 17, written: 6,
		},
		"40 shapes end it":                   {n: 500, shape: func(i int) string { return string(rune(i)) }, recorded: 40, written: 40},
		"300 are recorded whatever they are": {n: 9000, shape: same, recorded: 300, written: 3},
	} {
		l := &limit{}
		if recorded, written := l.invocations(c.n, c.shape); recorded != c.recorded || written != c.written {
			t.Errorf("%s: recorded %d, written %d, want %d, %d", name, recorded, written, c.recorded, c.written)
		}
	}
}

func TestTypeFacts(t *testing.T) {
	type guarded struct {
		Mu   sync.Mutex
		More *sync.RWMutex
		Name string
	}
	f := factsOf(reflect.TypeFor[guarded]())
	if f != factsOf(reflect.TypeFor[guarded]()) {
		t.Error("the facts are worked out again")
	}
	if len(f.mutexes) != 2 || f.mutexes[0].pointer || !f.mutexes[1].pointer || !f.mutexes[1].reads || f.hidden || f.foreign {
		t.Errorf("got %+v", f)
	}
	if f.field("Name") == nil || f.field("name") != nil {
		t.Error("fields are found by another name")
	}
	if f := factsOf(reflect.TypeFor[map[string][]*sync.Once]()); f.name != "map[string][]*sync.Once" || f.hidden {
		t.Errorf("got %+v", f)
	}
	if f := factsOf(reflect.TypeFor[sync.Pool]()); !f.foreign || !f.hidden {
		t.Errorf("got %+v", f)
	}
}

// The number that is in the stack trace is that of the goroutine.
func TestGoroutineNumber(t *testing.T) {
	here := goroutineNumber()
	if here == 0 || here != goroutineNumber() {
		t.Errorf("got %d", here)
	}
	other := make(chan uint64)
	go func() { other <- goroutineNumber() }()
	if n := <-other; n == 0 || n == here {
		t.Errorf("another goroutine has number %d, this one %d", n, here)
	}
}
