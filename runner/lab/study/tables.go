package study

import (
	"context"
	"errors"
	"math"
	"slices"

	"sonde/model"
	"sonde/runner/lab/stat"
)

// Tables has the data of the paper's Tables 1 to 7, and of further tables.
type Tables struct {
	Services []Artifact
	Manual   []ManualRow // for services with tests of their own
	Smart    []float64   // see Study; the first is the base
	// Chosen is the index in Smart of the probability in Tables 2 and 6: the probability of the paper, or the highest
	// one if the study does not have the paper's.
	Chosen int
	Rows   []TableRow
	// Comparisons compare white-box with black-box, if the study has both.
	Comparisons []Comparison
	// Ways compare the ways of sampling, if the study has several.
	Ways []WayComparison
	// Lists compare lists of seqs, if the study has lists.
	Lists []ListComparison
	// Gains has the last row of Table 5: for each probability in Smart, the mean of Gain over all rows. The mean is NaN
	// if no row has a Gain.
	Gains []float64
	// Calibrations compare the forecasts of runs with the targets that the runs then covered. They are missing for
	// services and budgets without forecasts.
	Calibrations []Calibration
	// Kinds has the kinds of faults, for services and budgets with faults.
	Kinds []KindRow
	// Faults are the different faults that runs found.
	Faults []FaultRow
	Runs   int
	Paper  bool // see Study
	Judged bool // suites are judged by mutants
}

// Artifact describes a service, as in Table 1.
type Artifact struct {
	Name      string
	Size      *model.SourceSize // nil if it is not known
	Endpoints int
}

// TableRow has the results of the runs with the same service, budget, way and mode.
type TableRow struct {
	Service  string
	Budget   int
	Way      string // "" if the study has no ways
	White    bool
	Mode     string    // "black" or "white" if the study has both, else ""
	Settings []Setting // one for each probability in Tables.Smart
}

// Setting summarises runs that differ only in their seeds. Its numbers are means, unless stated
// otherwise.
type Setting struct {
	Runs, Operations int     // number of runs, and number of the service's operations
	Tests            float64 // number of tests in a suite
	Codes            float64 // number of different statuses for each operation
	With2xx, With4xx float64 // number of operations with a 2xx or a 4xx answer
	With5xx          float64
	Most5xx          int     // maximum of With5xx
	Covered, Code    float64 // see Result
	Faults, Marks    float64
	MutationScore    float64 // percentage of the mutants that the suite notices, 0 if suites are not judged
	AllMarks         int     // number of different marks in all runs together
	// Gain is the relative improvement of Covered over the base, NaN if the base covers nothing.
	Gain float64
	// A12 is the effect size of Covered compared to the base. P is the two-sided p-value of the
	// Mann-Whitney U test.
	A12, P float64
	Curve  []float64 // Covered after 0, 1/CurveSteps, 2/CurveSteps and so on of the budget
}

// CurveSteps is the number of steps of a curve.
const CurveSteps = 100

// errUnfinished is returned if a study is not finished.
var errUnfinished = errors.New("the study is not finished: not all of its runs are made")

// Tables computes the tables of a study. All of its runs must be in the log. Tables also runs the services' own
// tests; see Service.Manual.
func (s Study) Tables(ctx context.Context, l *Log) (Tables, error) {
	t := Tables{
		Smart: s.Smart, Chosen: slices.Index(s.Smart, model.DefaultTuning().Smart), Runs: s.RunCount(), Paper: s.Paper,
		Judged: s.Mutants.Size > 0,
	}
	if t.Chosen < 0 {
		t.Chosen = len(s.Smart) - 1
	}
	for _, service := range s.Services {
		t.Services = append(t.Services, service.artifact(ctx))
		for _, b := range service.Budgets {
			if err := t.add(s, l, service.Name, b); err != nil {
				return Tables{}, err
			}
		}
		manual, err := s.manualRows(ctx, l, service, s.Smart[t.Chosen])
		if err != nil {
			return Tables{}, err
		}
		t.Manual = append(t.Manual, manual...)
	}
	t.Gains = gains(t.Rows, len(s.Smart))
	t.Calibrations, t.Kinds, t.Faults = s.calibrations(l), s.kindRows(l), s.faultRows(l)
	return t, nil
}

// artifact describes the service.
func (s Service) artifact(ctx context.Context) Artifact {
	a := Artifact{Name: s.Name, Endpoints: s.Endpoints}
	if s.Size != nil {
		a.Size = s.Size(ctx)
	}
	return a
}

// add adds the rows of a service with a budget.
func (t *Tables) add(s Study, l *Log, service string, b Series) error {
	for _, way := range s.wayNames() {
		for _, white := range s.modes() {
			row, ok := s.row(l, RunKey{Service: service, Budget: b.Calls, Way: way, White: white}, b.Seeds)
			if !ok {
				return errUnfinished
			}
			t.Rows = append(t.Rows, row)
		}
		if len(s.White) > 1 {
			t.Comparisons = append(t.Comparisons, s.compareModes(l, service, way, b)...)
		}
	}
	if len(s.Lists) > 0 {
		t.Lists = append(t.Lists, s.compareLists(l, service, b))
	}
	if len(s.Ways) > 1 {
		t.Ways = append(t.Ways, s.compareWays(l, service, b)...)
	}
	return nil
}

// row returns the row for the service, budget, way and mode in at, with a setting for each P of the study. It
// returns false if a result is missing.
func (s Study) row(l *Log, at RunKey, seeds []uint64) (TableRow, bool) {
	row := TableRow{Service: at.Service, Budget: at.Budget, Way: at.Way, White: at.White, Mode: s.modeName(at.White)}
	var base []float64
	for i, p := range s.Smart {
		at.Smart = p
		results, ok := l.seriesResults(at, seeds)
		if !ok {
			return row, false
		}
		covered := intSample(results, func(r Result) int { return r.Covered })
		if i == 0 {
			base = covered
		}
		set := newSetting(results)
		set.compareTo(covered, base)
		row.Settings = append(row.Settings, set)
	}
	return row, true
}

// sampleOf returns a measure of each result.
func sampleOf(results []Result, measure func(Result) float64) []float64 {
	all := make([]float64, len(results))
	for i, r := range results {
		all[i] = measure(r)
	}
	return all
}

// intSample is like sampleOf, for integers.
func intSample(results []Result, of func(Result) int) []float64 {
	return sampleOf(results, func(r Result) float64 { return float64(of(r)) })
}

// newSetting summarises results, without the comparison to the base.
func newSetting(results []Result) Setting {
	mean := func(of func(Result) int) float64 { return stat.Mean(intSample(results, of)) }
	s := Setting{
		Runs: len(results), Operations: results[0].Operations,
		Tests:   mean(func(r Result) int { return r.Tests }),
		Codes:   mean(func(r Result) int { return r.Codes }) / float64(max(1, results[0].Operations)),
		With2xx: mean(func(r Result) int { return r.With2xx }),
		With4xx: mean(func(r Result) int { return r.With4xx }),
		With5xx: mean(func(r Result) int { return r.With5xx }),
		Covered: mean(func(r Result) int { return r.Covered }),
		Code:    mean(func(r Result) int { return r.Code }),
		Faults:  mean(func(r Result) int { return r.Faults }),
		Marks:   mean(func(r Result) int { return len(r.Marks) }),

		MutationScore: stat.Mean(sampleOf(results, func(r Result) float64 { return r.Mutants.percent() })),
	}
	marks := map[string]bool{}
	for _, r := range results {
		s.Most5xx = max(s.Most5xx, r.With5xx)
		for _, m := range r.Marks {
			marks[m] = true
		}
	}
	s.AllMarks = len(marks)
	for i := range CurveSteps + 1 {
		calls := int(int64(results[0].Budget) * int64(i) / CurveSteps)
		s.Curve = append(s.Curve, mean(func(r Result) int { return r.coveredBy(calls) }))
	}
	return s
}

// compareTo sets the fields that compare the setting with the base.
func (s *Setting) compareTo(covered, base []float64) {
	s.Gain = gain(covered, base)
	s.A12 = stat.A12(covered, base)
	_, s.P = stat.MannWhitney(covered, base)
}

// gains returns the mean Gain of all rows for each of the n settings that a row has. The mean is NaN if no row has a
// Gain for the setting.
func gains(rows []TableRow, n int) []float64 {
	means := make([]float64, n)
	for i := range means {
		var all []float64
		for _, r := range rows {
			if g := r.Settings[i].Gain; !math.IsNaN(g) {
				all = append(all, g)
			}
		}
		means[i] = math.NaN()
		if len(all) > 0 {
			means[i] = stat.Mean(all)
		}
	}
	return means
}
