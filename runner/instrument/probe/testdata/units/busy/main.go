// Program busy calls a function in many goroutines.
package main

import (
	"fmt"
	"sync"
)

// Log is what Add calls.
type Log interface{ Write(n int) }

type log struct {
	mu  sync.Mutex
	sum int
}

func (l *log) Write(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sum += n
}

// Add writes a number, and once more in another goroutine.
func Add(l Log, n int) {
	var done sync.WaitGroup
	l.Write(n)
	done.Go(func() { l.Write(n) })
	done.Wait()
}

func main() {
	l := &log{}
	var all sync.WaitGroup
	for n := range 200 {
		all.Go(func() { Add(l, n) })
	}
	all.Wait()
	fmt.Println(l.sum)
}
