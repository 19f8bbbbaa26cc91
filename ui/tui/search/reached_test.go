package search

import (
	"testing"

	"sonde/model"
)

func TestReached(t *testing.T) {
	c := &model.Coverage{Packages: []model.PackageCoverage{
		{Package: "a", Statements: model.CoverageCount{Covered: 1, All: 4}, Branches: model.CoverageCount{}},
		{Package: "b", Statements: model.CoverageCount{Covered: 4, All: 4}},
	}}
	if got, want := reached(c), " Of the source 62.5% of the statements and 100.0% of the branches were reached."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if reached(nil) != "" {
		t.Error("a text without coverage")
	}
}
