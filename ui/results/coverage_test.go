package results

import (
	"bytes"
	"testing"

	"sonde/model"
	"sonde/ui/console"
)

// A driver may report no branches. The text then leaves them out.
func TestReachedOf(t *testing.T) {
	half, none := model.CoverageCount{Covered: 1, All: 2}, model.CoverageCount{}
	for want, parts := range map[string][2]model.CoverageCount{
		"50.0% of statements (1 of 2), 50.0% of branches (1 of 2)": {half, half},
		"50.0% of statements (1 of 2)":                             {half, none},
	} {
		if got := reachedOf(parts[0], parts[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Packages are listed only if there are several. There are no rows if the coverage is not measured.
func TestAddCoverage(t *testing.T) {
	pay := model.PackageCoverage{
		Package: "shop/pay", Statements: model.CoverageCount{Covered: 3, All: 4}, Branches: model.CoverageCount{Covered: 1, All: 4},
	}
	web := model.PackageCoverage{Package: "shop/web", Statements: model.CoverageCount{Covered: 1200, All: 1996}}
	for want, c := range map[string]*model.Coverage{
		"": nil,
		"source  75.0% of statements (3 of 4), 25.0% of branches (1 of 4)\n": {Packages: []model.PackageCoverage{pay}},
		"  shop/pay  75.0% of statements (3 of 4), 25.0% of branches (1 of 4)\n" +
			"  shop/web  60.1% of statements (1,200 of 1,996)\n" +
			"source      60.2% of statements (1,203 of 2,000), 25.0% of branches (1 of 4)\n": {Packages: []model.PackageCoverage{pay, web}},
	} {
		var out bytes.Buffer
		table := console.NewTable(&out)
		AddCoverage(table, c)
		if err := table.Flush(); err != nil {
			t.Fatal(err)
		}
		same(t, out.String(), want)
	}
}
