package sondeprobe

// The sizes and tables of a build. This file is only for the tests of this package. Each build of a
// service replaces it.
const (
	Build = 1
	Preds = 64
	Hits  = 64
	// ByRequest is true if the memory has the tags of requests; see request.go.
	ByRequest = false
)

var (
	ints  = [...][]int64{{1, 5, -3}}
	uints = [...][]uint64{{7}}
	texts = [...][]string{{"red", "green"}}
)
