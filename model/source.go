package model

// Source lists the source files of a service, with probes and without. It does not change during a run.
type Source struct {
	Files []SourceFile
	// Plain are the files without probes.
	Plain []string
}

// SourceFile is a file with probes and its targets.
type SourceFile struct {
	Package string
	Name    string // import path and base name
	Path    string // the path on disk
	// Sum is the SHA-256 of the file when it was built, in hex; "" if unknown.
	Sum     string
	Targets []SourceTarget
}

// SourceSize is the size of a service's source.
type SourceSize struct {
	Files int
	Lines int // comments and blank lines included
}

// SourceTarget is something in the source that a test can cover.
type SourceTarget struct {
	Kind SourceKind
	// Outcome is a name of the target for reports, such as "true" or "loop entered".
	Outcome   string
	Line, Col int // the first line and column, from 1; columns are counted in bytes
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

// SourceCoverage is the coverage of a service's source by a run at one moment.
type SourceCoverage struct {
	*Source
	Reached []*FileCoverage // the coverage of each file, in the order of Source.Files
}

// FileCoverage is the coverage of one file by a run.
type FileCoverage struct {
	// Near says for each target how close the best test came, from 0 (not reached) to 1 (covered).
	Near []float64
	// Tests has for each target the ID of the kept test that covers it, "" for none.
	Tests      []string
	Statements CoverageCount
	Branches   CoverageCount
}
