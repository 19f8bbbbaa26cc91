package model

// Coverage is how much of a service's source a run came to: its statements, its
// branches, and how near the rest is.
type Coverage struct {
	// Targets are the statements, calls, branches and conditions that a test can
	// cover, and Covered those of them that were.
	Targets int `json:"targets"`
	Covered int `json:"covered"`
	// SetUp are those of the covered that no test had to: to start the service and
	// to reset it is enough.
	SetUp    int               `json:"set_up"`
	Packages []PackageCoverage `json:"packages"`
}

// PackageCoverage is that of one package, whose import path it has.
type PackageCoverage struct {
	Package    string        `json:"package"`
	Statements CoverageCount `json:"statements"`
	// Branches are the outcomes of conditions, the cases of switches and selects,
	// and loops entered and skipped.
	Branches CoverageCount `json:"branches"`
}

// CoverageCount is some of all.
type CoverageCount struct {
	Covered int `json:"covered"`
	All     int `json:"all"`
}

// Fraction is the part as a share, 0 to 1: 1 of nothing.
func (p CoverageCount) Fraction() float64 {
	if p.All == 0 {
		return 1
	}
	return float64(p.Covered) / float64(p.All)
}

// Totals is the coverage of all packages together.
func (c Coverage) Totals() (statements, branches CoverageCount) {
	for _, p := range c.Packages {
		statements.Covered += p.Statements.Covered
		statements.All += p.Statements.All
		branches.Covered += p.Branches.Covered
		branches.All += p.Branches.All
	}
	return statements, branches
}

// TestTargets are the targets in the service's source that a test is kept for.
type TestTargets struct {
	Test    string   `json:"test"`
	Targets []string `json:"targets"`
}
