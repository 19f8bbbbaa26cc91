package runtime

import _ "unsafe" // for go:linkname

// sondeGoroutine returns the number of the calling goroutine. The package sondeunits calls it.
//
//go:linkname sondeGoroutine
func sondeGoroutine() uint64 { return uint64(getg().goid) }
