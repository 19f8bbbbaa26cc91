package cli

import (
	"fmt"
	"time"
)

// follow does some work and tells how it goes on, until it is over: on a
// terminal in one line that changes, elsewhere with a line every few seconds.
// line is called while the work goes on.
func follow[T any](s streams, work func() T, line func() string) T {
	every, end := 5*time.Second, "\n"
	if isTerminal(s.err) {
		every, end = 100*time.Millisecond, "\x1b[K\r"
	}
	done := make(chan T, 1)
	go func() { done <- work() }()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case last := <-done:
			if isTerminal(s.err) {
				fmt.Fprint(s.err, "\x1b[K")
			}
			return last
		case <-tick.C:
			fmt.Fprint(s.err, line(), end)
		}
	}
}
