package model

// Source is the part of a service's source that has probes. It stays the same for
// all of a run.
type Source struct {
	Files []SourceFile
	// Plain are the files that were left without probes.
	Plain []string
}

// SourceFile is a file with probes, and what a test can cover in it.
type SourceFile struct {
	Package string
	Name    string // import path and base name
	Path    string // on disk
	// Sum is the SHA-256 of the file as it was built, in hex; "" where nobody knows.
	Sum     string
	Targets []SourceTarget
}

// SourceTarget is something in the source that a test can cover.
type SourceTarget struct {
	Kind SourceKind
	// Outcome is the target as a report calls it, such as "true" or "loop entered".
	Outcome   string
	Line, Col int // from 1 on, in bytes
	// EndLine, EndCol and Statements are a block's.
	EndLine, EndCol, Statements int
	Label                       string // the source, shortened
}

// SourceKind is what sort of thing a target in the source is.
type SourceKind int

// The kinds of targets in the source.
const (
	SourceBlock         SourceKind = iota // of statements, reached
	SourceCompletedCall                   // a statement that calls, completed
	SourceBranch                          // one way to go on
	SourceCondition                       // an operand's outcome in && and ||
)

// SourceCoverage is how near a run came to a service's source, at one moment.
type SourceCoverage struct {
	*Source
	Reached []*FileCoverage // by file
}

// FileCoverage is how near a run came to what is in one file.
type FileCoverage struct {
	// Near says by target how near the nearest test came: 1 is covered, 0 not reached.
	Near []float64
	// Tests are by target the ID of the test that is kept for it; "" where none is.
	Tests      []string
	Statements CoverageCount
	Branches   CoverageCount
}
