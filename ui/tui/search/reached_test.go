package search

import (
	"testing"

	"sonde/model"
)

func TestReached(t *testing.T) {
	c := &model.Coverage{Packages: []model.PackageCoverage{
		{Package: "a", Statements: model.Part{Covered: 1, All: 4}, Branches: model.Part{}}, {Package: "b", Statements: model.Part{Covered: 4, All: 4}},
	}}
	if got, want := reached(c), " Of the source 62.5% of the statements and 100.0% of the branches were reached."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if reached(nil) != "" {
		t.Error("nobody saw the source")
	}
}
