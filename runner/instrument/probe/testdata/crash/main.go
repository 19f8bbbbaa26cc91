// Command crash runs a function that panics and a function that does not, and
// then waits to be killed.
package main

import (
	"fmt"
	"time"
)

type box struct{ n int }

func (b *box) value() int { return b.n }

func try(b *box) {
	defer func() { recover() }()
	fmt.Sprint("before")
	n := b.value()
	fmt.Sprint("after", n)
}

func main() {
	try(nil)
	fmt.Println("waiting")
	time.Sleep(time.Hour)
}
