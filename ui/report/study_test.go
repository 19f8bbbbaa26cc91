package report_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/lab/study"
	"sonde/ui/report"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/net/html"
)

// setting returns the results of the runs with one value of P. Their curve of covered targets rises linearly.
func setting(runs int, covered, base float64) study.Setting {
	s := study.Setting{
		Runs:       runs,
		Operations: 28,
		Tests:      covered / 2,
		Codes:      covered / 28,
		With2xx:    covered / 4,
		With4xx:    covered / 5,
		With5xx:    covered / 10,
		Most5xx:    int(covered/10) + 1,
		Covered:    covered,
		Code:       covered / 5 * 4,
		Faults:     covered / 8,
		Marks:      covered / 20,
		AllMarks:   3,
		Gain:       math.NaN(),
		A12:        0.875,
		P:          0.0004,
	}
	if base > 0 {
		s.Gain = (covered - base) / base
	}
	for i := range study.CurveSteps + 1 {
		s.Curve = append(s.Curve, covered*float64(i)/study.CurveSteps)
	}
	return s
}

// smallStudy returns a study with a row of each kind.
func smallStudy() study.Tables {
	t := study.Tables{Smart: []float64{0, 0.2, 0.6, 1}, Chosen: 2, Runs: 1440, Gains: []float64{0, 0.125, 0.375, -0.0001}}
	t.Services = []study.Artifact{
		{Name: "features", Size: &model.SourceSize{Files: 23, Lines: 1247}, Endpoints: 18},
		{Name: "flat", Endpoints: 12},
		{Name: hostile, Size: &model.SourceSize{Files: 1, Lines: 80}, Endpoints: 28},
	}
	for _, r := range []struct {
		name    string
		budget  int
		runs    int
		covered [4]float64
	}{
		{"features", 1000, 30, [4]float64{282.52, 486.1, 506.1, 282.48}},
		{"features", 100_000, 5, [4]float64{446.9, 551.5, 542.8, 520.1}},
		{"flat", 750, 30, [4]float64{20, 20, 20, 20}},
		{hostile, 10_000, 30, [4]float64{0, 0, 3, 4}},
	} {
		row := study.TableRow{Service: r.name, Budget: r.budget}
		for _, covered := range r.covered {
			row.Settings = append(row.Settings, setting(r.runs, covered, r.covered[0]))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Calibrations = []study.Calibration{
		{Service: "features", Budget: 10_000, Forecasts: 1440, Inside: 0.9375, Below: 0.0125, Above: 0.05, Width: 2.25},
		{Service: "features", Budget: 100_000, Forecasts: 270, Inside: 1, Width: 0.04},
		{Service: hostile, Budget: 10_000, Forecasts: 8, Inside: 0.75, Below: 0.25, Width: 1234.5},
	}
	t.Kinds = []study.KindRow{
		{Service: "features", Budget: 1000, Faults: 1234, Kinds: []study.FaultKind{
			{Class: model.InputValid, Faults: 234},
			{Class: model.InputUnknown, Faults: 500},
			{Class: model.InputInvalid, Constraint: "minimum", Faults: 300},
			{Class: model.InputInvalid, Constraint: "type", Faults: 200},
		}},
		{Service: "features", Budget: 100_000, Faults: 3, Kinds: []study.FaultKind{{Class: model.InputValid, Faults: 3}}},
		{Service: hostile, Budget: 10_000, Faults: 2, Kinds: []study.FaultKind{
			{Class: model.InputInvalid, Constraint: "type", Faults: 1},
			{Class: model.InputInvalid, Constraint: model.ConstraintMedia, Faults: 1},
		}},
	}
	return t
}

// withWhiteBox returns a study that also compares black-box and white-box searches.
func withWhiteBox() study.Tables {
	t := smallStudy()
	t.Rows = t.Rows[:2]
	t.Rows[0].Mode, t.Rows[1].Mode, t.Rows[1].Budget = "black", "white", t.Rows[0].Budget
	t.Rows[1].White = true
	for i, p := range t.Smart {
		s := study.Comparison{Service: "features", Budget: 1000, Smart: p, Runs: 30}
		for range study.Measures {
			s.Figures = append(s.Figures, study.MeasureFigure{Black: 80.5, White: 80 + float64(i), A12: 0.25 * float64(i+1), P: 0.03})
		}
		t.Comparisons = append(t.Comparisons, s)
	}
	return t
}

// withMutants returns a study whose suites are judged by mutants, black-box and white-box.
func withMutants() study.Tables {
	t := withWhiteBox()
	t.Judged = true
	for i := range t.Rows {
		t.Rows[i].Settings = slices.Clone(t.Rows[i].Settings)
		for j := range t.Rows[i].Settings {
			t.Rows[i].Settings[j].MutationScore = 12.5 * float64(1+i+j)
		}
	}
	return t
}

// asThePaper returns a study that samples as the paper does.
func asThePaper() study.Tables {
	t := smallStudy()
	t.Paper = true
	t.Manual = []study.ManualRow{
		{Service: "features", Mode: "white", Best: 0.804, Mean: 0.75, Total: 0.6, Unit: 0.1, HTTP: 0.55},
		{Service: hostile, Mode: "white", Best: 0.3, Mean: 0.25, Total: 0.6, Unit: math.NaN(), HTTP: math.NaN()},
	}
	return t
}

// withWays returns a study that also compares ways of sampling.
func withWays() study.Tables {
	t := smallStudy()
	t.Rows = t.Rows[:2]
	t.Rows[0].Way, t.Rows[1].Way, t.Rows[1].Budget = "paper", "+ echo", t.Rows[0].Budget
	for _, p := range []float64{0, 0.6} {
		t.Ways = append(t.Ways, study.WayComparison{Service: "features", Budget: 1000, Smart: p, Runs: 30, Ways: []study.WayFigure{
			{Name: "paper", Covered: 282.5, A12: 0.5, P: 1},
			{Name: "+ echo", Covered: 350.25, Gain: 0.2398, A12: 0.91, P: 0.0001},
			{Name: hostile, Gain: -1, P: 0.0002},
		}})
	}
	return t
}

// withFaults returns a study whose runs found faults.
func withFaults() study.Tables {
	t := smallStudy()
	t.Faults = []study.FaultRow{
		{
			Service: "features", Way: "paper", Mode: "white", Budget: 1000, Runs: []int{0, 12, 30, 1},
			FoundFault: study.FoundFault{
				Op: "POST /orders", Oracle: "server-error", Severity: model.SeverityError, Status: 500, Signature: "nil map",
				Input: model.Input{Class: model.InputInvalid, Constraint: "minimum", Place: "body /price"},
			},
		},
		{
			Service: hostile, Budget: 1000, Runs: []int{1, 0, 0, 0},
			FoundFault: study.FoundFault{Op: hostile, Oracle: "timeout", Severity: model.SeverityError, Signature: hostile},
		},
	}
	return t
}

// withLists returns a study that compares lists of seqs.
func withLists() study.Tables {
	t := smallStudy()
	t.Smart, t.Chosen, t.Rows, t.Calibrations, t.Kinds = []float64{0}, 0, t.Rows[:1], nil, t.Kinds[:1]
	for _, service := range []string{"features", hostile} {
		c := study.ListComparison{Service: service, Budget: 20_000, Runs: 10}
		for i, name := range []string{"dc", "sc", "dc, links only"} {
			list := study.ListFigures{Name: name}
			for j := range study.ListMeasures {
				list.Figures = append(list.Figures, study.ListFigure{Mean: float64(100*j) + float64(i)/4, A12: 0.5 + float64(i)/8, P: 0.03})
			}
			c.Lists = append(c.Lists, list)
		}
		t.Lists = append(t.Lists, c)
	}
	return t
}

// shown returns the output of a function that writes a study.
func shown(t *testing.T, write func(io.Writer, study.Tables) error, s study.Tables) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func text(width int) func(io.Writer, study.Tables) error {
	return func(w io.Writer, t study.Tables) error { return report.WriteStudyText(w, t, width) }
}

func TestStudyGolden(t *testing.T) {
	golden(t, "study.100.txt", shown(t, text(100), smallStudy()))
	golden(t, "study.csv", shown(t, report.WriteStudyCSV, smallStudy()))
	golden(t, "study.html", shown(t, report.WriteStudyHTML, smallStudy()))
	golden(t, "sights.100.txt", shown(t, text(100), withWhiteBox()))
	golden(t, "sights.csv", shown(t, report.WriteComparisonCSV, withWhiteBox()))
	golden(t, "mutants.100.txt", shown(t, text(100), withMutants()))
	golden(t, "mutants.csv", shown(t, report.WriteStudyCSV, withMutants()))
	golden(t, "ways.100.txt", shown(t, text(100), withWays()))
	golden(t, "ways.csv", shown(t, report.WriteWaysCSV, withWays()))
	golden(t, "lists.100.txt", shown(t, text(100), withLists()))
	golden(t, "lists.csv", shown(t, report.WriteListsCSV, withLists()))
	golden(t, "studyfaults.csv", shown(t, report.WriteFaultsCSV, withFaults()))
	golden(t, "studypaper.100.txt", shown(t, text(100), asThePaper()))
	golden(t, "studypaper.html", shown(t, report.WriteStudyHTML, asThePaper()))
}

// A table has the paper's figures only for values of P that occur both in the paper and in the study.
func TestPaperOfOtherSettings(t *testing.T) {
	for _, c := range []struct {
		smart  []float64
		tables int // how many tables name a service of the paper
	}{
		{[]float64{0, 0.2, 0.6, 1}, 7},
		{[]float64{0.2, 0.3, 0.6, 0.9}, 5}, // Tables 5 and 6 are missing, because the paper has another base
		{[]float64{0, 0.2, 0.3, 0.9}, 5},   // Tables 2 and 6 are missing, because the paper has another P
		{[]float64{0.1, 0.3, 0.5, 0.9}, 2}, // only Tables 1 and 3
	} {
		s := asThePaper()
		s.Smart = c.smart
		page := shown(t, report.WriteStudyHTML, s)
		if n := strings.Count(page, "<td>scout-api</td>"); n != c.tables || strings.Count(page, "<td>in the paper</td>") != n {
			t.Errorf("P %v: %d tables have the paper's figures, want %d", c.smart, n, c.tables)
		}
	}
}

// A study of lists has no curves, because it has no searches.
func TestListsHaveNoCurves(t *testing.T) {
	page := shown(t, report.WriteStudyHTML, withLists())
	if strings.Contains(page, "<svg") || strings.Contains(page, "Covered targets") || !strings.Contains(page, "seqs practical") {
		t.Errorf("got\n%s", page)
	}
}

// A study of one value of P has no comparison. Without marks, which are faults that the service itself reports in its
// answers, it has no table of marks.
func TestStudyWithoutComparison(t *testing.T) {
	s := smallStudy()
	s.Smart, s.Gains, s.Chosen = s.Smart[:1], s.Gains[:1], 0
	for i := range s.Rows {
		s.Rows[i].Settings = s.Rows[i].Settings[:1]
		s.Rows[i].Settings[0].AllMarks = 0
	}
	got := shown(t, text(80), s)
	for _, no := range []string{"Table 5", "Table 6", "names itself"} {
		if strings.Contains(got, no) {
			t.Errorf("%q is in\n%s", no, got)
		}
	}
	if !strings.Contains(got, "Table 7") || !strings.Contains(shown(t, report.WriteStudyHTML, s), "P=0") {
		t.Errorf("tables or curves are missing:\n%s", got)
	}
}

// A hostile name is shown as text: it adds no elements to the HTML page, and no escape sequences to the terminal.
func TestStudyIsSafe(t *testing.T) {
	if got := shown(t, text(80), smallStudy()); ansi.Strip(got) != got || strings.ContainsAny(got, "\x1b\u202e\r\t") {
		t.Errorf("control characters in %q", got)
	}
	root, err := html.Parse(strings.NewReader(shown(t, report.WriteStudyHTML, smallStudy())))
	if err != nil {
		t.Fatal(err)
	}
	elements := map[string]int{}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			elements[n.Data]++
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" {
				t.Errorf("%s has the attribute %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
	if elements["script"] != 0 || elements["svg"] != 4 || elements["polyline"] != 16 || elements["table"] != 11 {
		t.Errorf("got %v, want no script, 4 svg, 16 polyline and 11 table", elements)
	}
}

// The names of lines that end at the same height do not overlap and are inside the drawing.
func TestCurveLabels(t *testing.T) {
	page := shown(t, report.WriteStudyHTML, smallStudy())
	_, flat, _ := strings.Cut(page, "<h3>flat")
	flat, _, _ = strings.Cut(flat, "</svg>")
	seen := map[string]bool{}
	for _, part := range strings.Split(flat, `class="label"`)[1:] {
		var x, y float64
		if _, err := fmt.Sscanf(part, ` x="%f" y="%f"`, &x, &y); err != nil || y < 0 || y > 300 {
			t.Errorf("%v: %.60s", err, part)
		}
		at := fmt.Sprint(math.Round(y / 12))
		if seen[at] {
			t.Errorf("two names at %v", y)
		}
		seen[at] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d names, want 4", len(seen))
	}
}

func TestStudyWriteFails(t *testing.T) {
	both := withWhiteBox()
	both.Ways = withWays().Ways
	for i, write := range []func(io.Writer, study.Tables) error{
		text(80), report.WriteStudyCSV, report.WriteComparisonCSV, report.WriteWaysCSV, report.WriteStudyHTML,
	} {
		if err := write(failing{}, both); err == nil {
			t.Errorf("form %d: no error", i)
		}
	}
}
