package report

import (
	"path"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// codeCoverage is the coverage of a service's source.
type codeCoverage struct {
	Lead     string
	Packages []coveragePackage
	LeftOut  string
	HasFiles bool
}

// coveragePackage is a package with its files.
type coveragePackage struct {
	coverageRow
	Branches string
	Files    []coverageRow
	// sum is the coverage of Files. It is used for a package that the summary of the run does not have.
	sum   model.CoverageCount
	known bool // the summary has the package
}

// coverageRow is the coverage of a package or a file. Width is that of its bar, from 0 to 100.
type coverageRow struct {
	Name    string
	Covered int
	All     int
	Share   string
	Width   float64
}

// maxFiles is the maximum number of files on a page.
const maxFiles = 1_000

// newCodeCoverage returns the coverage of a run, nil for a black-box run.
func newCodeCoverage(r Run) *codeCoverage {
	if r.Summary.Code == nil && len(r.Files) == 0 {
		return nil
	}
	c := codeCoverage{HasFiles: len(r.Files) > 0}
	files := r.Files
	if more := len(files) - maxFiles; more > 0 {
		files, c.LeftOut = files[:maxFiles], words.Plural(more, "file")+" left out, so that the page stays small."
	}
	if r.Summary.Code != nil {
		c.Lead = coverageLead(*r.Summary.Code)
		for _, p := range r.Summary.Code.Packages {
			c.Packages = append(c.Packages, newCoveragePackage(p))
		}
	}
	for _, f := range files {
		c.add(f)
	}
	return &c
}

func coverageLead(c model.Coverage) string {
	statements, branches := c.Totals()
	var parts []string
	for _, part := range []struct {
		model.CoverageCount
		of string
	}{{statements, "statements"}, {branches, "branches"}} {
		if part.All > 0 {
			parts = append(parts, share(part.CoverageCount)+" of "+words.Count(part.All)+" "+part.of)
		}
	}
	return strings.Join(parts, ", ")
}

func newCoveragePackage(p model.PackageCoverage) coveragePackage {
	c := coveragePackage{coverageRow: newCoverageRow(p.Package, p.Statements), known: true}
	if p.Branches.All > 0 {
		c.Branches = share(p.Branches) + " of " + words.Plural(p.Branches.All, "branch outcome")
	}
	return c
}

func newCoverageRow(name string, c model.CoverageCount) coverageRow {
	return coverageRow{Name: draw.Clean(name), Covered: c.Covered, All: c.All, Share: share(c), Width: 100 * c.Fraction()}
}

// add adds a file to its package. A package that the summary of the run does not have is added, too.
func (c *codeCoverage) add(f model.SourceFileCoverage) {
	dir, name := path.Split(f.File)
	dir = draw.Clean(strings.TrimSuffix(dir, "/"))
	at := slices.IndexFunc(c.Packages, func(p coveragePackage) bool { return p.Name == dir })
	if at < 0 {
		at = len(c.Packages)
		c.Packages = append(c.Packages, coveragePackage{coverageRow: coverageRow{Name: dir}})
	}
	p := &c.Packages[at]
	p.Files = append(p.Files, newCoverageRow(name, f.Statements))
	p.sum.Covered, p.sum.All = p.sum.Covered+f.Statements.Covered, p.sum.All+f.Statements.All
	if !p.known {
		p.coverageRow = newCoverageRow(dir, p.sum)
	}
}
