package sondeunits

import "runtime"

// goroutineNumber returns the number of this goroutine, from the first line of its stack: "goroutine 12 [running]:". In a
// build, another file has a function that asks the runtime: a deep stack takes tens of microseconds to print.
func goroutineNumber() (n uint64) {
	var buf [40]byte
	for _, c := range buf[len("goroutine "):runtime.Stack(buf[:], false)] {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + uint64(c-'0')
	}
	return n
}
