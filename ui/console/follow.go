package console

import (
	"fmt"
	"time"
)

// ShowProgress does some work and tells how it goes on, until it is over: on a
// terminal in one line that changes, elsewhere with a line every few seconds.
// line is called while the work goes on.
func ShowProgress[T any](s Streams, work func() T, line func() string) T {
	every, end := 5*time.Second, "\n"
	if IsTerminal(s.Err) {
		every, end = 100*time.Millisecond, "\x1b[K\r"
	}
	done := make(chan T, 1)
	go func() { done <- work() }()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case last := <-done:
			if IsTerminal(s.Err) {
				fmt.Fprint(s.Err, "\x1b[K")
			}
			return last
		case <-tick.C:
			fmt.Fprint(s.Err, line(), end)
		}
	}
}
