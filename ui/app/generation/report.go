package generation

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sonde/export/format"
	"sonde/model"
	"sonde/runner/replay/generate"
	"sonde/ui/app/paths"
	"sonde/ui/app/suite"
	"sonde/ui/words"
)

// ReportFile is the file with the report, in the folder of the tests.
const ReportFile = "mimics.json"

// Report is the JSON of sonde generate: the tests of a recording, and how well they mimic it.
type Report struct {
	Recording string                    `json:"recording"` // its folder
	Title     string                    `json:"title"`     // of the spec
	Declared  int                       `json:"declared"`  // number of operations in the spec
	Files     []string                  `json:"files"`
	Run       string                    `json:"run"`
	Exchanges int                       `json:"exchanges"`
	Runs      int                       `json:"runs"` // 0 if the tests were not run
	Untried   string                    `json:"untried,omitempty"`
	Causes    map[model.Attribution]int `json:"causes"` // number of outward calls by attribution
	// Background is the number of outward calls that no request caused. Strays is the number of outward calls of unknown
	// cause, which a request may have caused.
	Background int `json:"background"`
	Strays     int `json:"strays"`
	// Calling counts the tests whose call under test makes outward calls. Others counts all other tests.
	Calling generate.MimicShare        `json:"calling"`
	Others  generate.MimicShare        `json:"others"`
	Rows    []generate.TableRow        `json:"operations"`
	Total   generate.TableRow          `json:"total"`
	Tests   []ReportedTest             `json:"tests"`
	Skipped []generate.SkippedExchange `json:"skipped"`
	// Code is the code that the recorded requests ran, and the part of it that requests with a test ran. It is nil if
	// the recording does not say which code ran.
	Code *ReportedCode `json:"code,omitempty"`
	// Format is the format of the files, "" for Go, and LeftOut are the tests that they leave out.
	Format  string               `json:"format,omitempty"`
	LeftOut []format.OmittedTest `json:"left_out,omitempty"`
}

// ReportedCode is how exchanges were chosen by the code that they run.
type ReportedCode struct {
	Recorded generate.NewCode `json:"recorded"` // what the requests of the recording ran
	Chosen   generate.NewCode `json:"chosen"`   // what those with a test ran
	// ByCode is the number of exchanges that were chosen for new code. New code is code that no exchange chosen
	// before runs.
	ByCode int `json:"by_code"`
}

// ReportedTest is a generated test. Its results are those of Go test functions, under the names that the tests have in
// the files.
type ReportedTest struct {
	ID        string            `json:"id"`
	Exchange  string            `json:"exchange"`
	Chosen    string            `json:"chosen,omitempty"` // why its exchange was chosen, "" if it is unknown or --exchange names it
	About     string            `json:"about"`
	Apart     bool              `json:"apart,omitempty"`
	Uncertain bool              `json:"uncertain,omitempty"`
	IsFault   bool              `json:"is_fault,omitempty"` // it pins a server error that is most likely a fault of the service
	Results   []generate.Result `json:"results"`
}

// Report returns the report of the tests and their results. Its lists are not nil.
func (g *Generation) Report(spec *model.Spec) Report {
	r := Report{
		Recording:  paths.Absolute(g.Source),
		Title:      spec.Title,
		Declared:   len(spec.Operations),
		Files:      append([]string{}, g.Files...),
		Run:        g.Dir + "/" + RunFolder,
		Exchanges:  len(g.Recording.Served),
		Untried:    g.NotRunReason,
		Causes:     g.Generated.Causes,
		Background: g.Generated.BackgroundCalls,
		Strays:     g.Generated.Strays,
		Skipped:    append([]generate.SkippedExchange{}, g.Generated.Skipped...),
		Tests:      g.reportedTests(),
		LeftOut:    g.Omitted,
	}
	if g.Format != suite.DefaultFormat {
		r.Format = g.Format
	}
	if r.Causes == nil {
		r.Causes = map[model.Attribution]int{}
	}
	r.Calling, r.Others = generate.MimicShares(g.Generated, g.Results)
	rows, total := g.OperationRows()
	r.Rows, r.Total = append([]generate.TableRow{}, rows...), total
	if len(g.Results) > 0 {
		r.Runs = g.Options.Runs
	}
	if code := g.Generated.Code; code != nil {
		r.Code = &ReportedCode{Recorded: code.Recorded, Chosen: code.Chosen, ByCode: len(code.ByTest)}
	}
	return r
}

// reportedTests returns the generated tests, each with its results.
func (g *Generation) reportedTests() []ReportedTest {
	_, apart := g.SplitTests()
	all := []ReportedTest{}
	for _, t := range g.Generated.Tests {
		m := ReportedTest{
			ID:        t.ID,
			Exchange:  t.Mock.Exchange,
			Chosen:    g.whyChosen(t.ID),
			About:     t.Mock.About,
			Uncertain: t.Mock.Uncertain,
			IsFault:   t.Mock.IsFault,
			Results:   []generate.Result{},
		}
		for _, x := range g.Results {
			if x.Test == t.ID {
				x.Function = cmp.Or(g.Names[x.Function], x.Function)
				m.Results = append(m.Results, x)
			}
		}
		for _, a := range apart {
			m.Apart = m.Apart || a.ID == t.ID
		}
		all = append(all, m)
	}
	return all
}

// whyChosen returns why the exchange of a test was chosen, "" if --exchange names it.
func (g *Generation) whyChosen(test string) string {
	if len(g.Choice.Exchanges) > 0 {
		return ""
	}
	if code := g.Generated.Code; code != nil {
		if n, ok := code.ByTest[test]; ok {
			return fmt.Sprintf("it runs %s that no exchange chosen before it runs", codeText(n))
		}
	}
	return "it has a shape or a trait that no exchange chosen before it has"
}

// codeText returns how much code n is, such as "12 statements and 1 branch".
func codeText(n generate.NewCode) string {
	branches := words.Count(n.Branches) + " branches"
	if n.Branches == 1 {
		branches = "1 branch"
	}
	return words.Plural(n.Statements, "statement") + " and " + branches
}

// writeReport writes the report into the folder of the tests.
func (g *Generation) writeReport(spec *model.Spec) error {
	data, err := json.MarshalIndent(g.Report(spec), "", "  ")
	if err != nil {
		return err
	}
	return paths.WriteFile(filepath.Join(g.Dir, ReportFile), append(data, '\n'))
}

// OpenReport reads the report in a folder that Write has written.
func OpenReport(dir string) (r Report, err error) {
	path := filepath.Join(dir, ReportFile)
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return r, fmt.Errorf("folder %q has no %s: name a folder that sonde generate wrote", dir, ReportFile)
	case err != nil:
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%q is not a report of sonde generate: %w", path, err)
	}
	return r, nil
}
