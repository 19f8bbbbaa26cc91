package console

import (
	"fmt"
	"time"
)

// ShowProgress runs work and returns its result. Meanwhile it writes line() to s.Err: ten times a second in
// the same line if s.Err is a terminal, otherwise in a new line every 5 seconds. line runs concurrently with
// work.
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
