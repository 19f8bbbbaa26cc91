package sondeunits

import _ "unsafe" // for go:linkname

// goroutineNumber returns the number of this goroutine.
//
//go:linkname goroutineNumber runtime.sondeGoroutine
func goroutineNumber() uint64
