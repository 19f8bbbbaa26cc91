package model

// Source is the part of a service's source that has probes. It does not change during a run.
type Source struct {
	Files []SourceFile
	// Plain are the files without probes.
	Plain []string
}

// SourceFile is a file with probes, and what a test can cover in it.
type SourceFile struct {
	Package string
	Name    string // import path and base name
	Path    string // on disk
	// Sum is the SHA-256 of the file when it was built, in hex; "" if unknown.
	Sum     string
	Targets []SourceTarget
}

// SourceTarget is something in the source that a test can cover.
type SourceTarget struct {
	Kind SourceKind
	// Outcome names the target in a report, such as "true" or "loop entered".
	Outcome   string
	Line, Col int // from 1, in bytes
	// EndLine, EndCol and Statements are set for a block.
	EndLine, EndCol, Statements int
	Label                       string // the source text, shortened
}

// SourceKind is the kind of a target in the source.
type SourceKind int

// The kinds of targets in the source.
const (
	SourceBlock         SourceKind = iota // a block of statements was reached
	SourceCompletedCall                   // a statement with a call was completed
	SourceBranch                          // a branch was taken
	SourceCondition                       // an operand of && or || had an outcome
)

// SourceCoverage is how much of a service's source a run has reached at one moment.
type SourceCoverage struct {
	*Source
	Reached []*FileCoverage // by index of Source.Files
}

// FileCoverage is how much of one file a run has reached.
type FileCoverage struct {
	// Near has for each target how near the best test came: 1 means covered, 0 not reached.
	Near []float64
	// Tests has for each target the ID of the test that is kept for it, "" for none.
	Tests      []string
	Statements CoverageCount
	Branches   CoverageCount
}
