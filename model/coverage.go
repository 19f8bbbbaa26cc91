package model

// Coverage is the coverage of a service's source by a run.
type Coverage struct {
	// Targets is the number of statements, calls, branches and conditions in the source. Covered is how many of them
	// the run covered.
	Targets int `json:"targets"`
	Covered int `json:"covered"`
	// SetUp is how many targets are covered just by starting and resetting the service. They are included in Covered.
	SetUp    int               `json:"set_up"`
	Packages []PackageCoverage `json:"packages"`
}

// PackageCoverage is the coverage of one package.
type PackageCoverage struct {
	Package    string        `json:"package"` // import path
	Statements CoverageCount `json:"statements"`
	// Branches counts the outcomes of conditions, the cases of switches and selects, and the two outcomes of a loop:
	// entered and skipped.
	Branches CoverageCount `json:"branches"`
}

// SourceFileCoverage is the coverage of one source file.
type SourceFileCoverage struct {
	File       string // the import path of the package, a slash and the name of the file
	Statements CoverageCount
}

// CoverageCount is a number of targets, and how many of them are covered.
type CoverageCount struct {
	Covered int `json:"covered"`
	All     int `json:"all"`
}

// Fraction returns the covered share, from 0 to 1. It is 1 if there is nothing to cover.
func (p CoverageCount) Fraction() float64 {
	if p.All == 0 {
		return 1
	}
	return float64(p.Covered) / float64(p.All)
}

// Totals returns the coverage of all packages together.
func (c Coverage) Totals() (statements, branches CoverageCount) {
	for _, p := range c.Packages {
		statements.Covered += p.Statements.Covered
		statements.All += p.Statements.All
		branches.Covered += p.Branches.Covered
		branches.All += p.Branches.All
	}
	return statements, branches
}

// TestTargets lists the targets in the service's source for which a test is kept.
type TestTargets struct {
	Test    string   `json:"test"`
	Targets []string `json:"targets"`
}
