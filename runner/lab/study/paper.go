package study

import (
	"math"

	"sonde/model"
)

// paperService is one of the services of the paper, with its figures as printed.
type paperService struct {
	name                    string
	files, lines, endpoints int // Table 1; files are classes
	tests, codes            float64
	most5xx                 int        // Table 2; the mean number of 5xx is also in Table 7
	coverage                float64    // Table 3: coverage by a generated suite
	manual                  [3]float64 // Table 3: coverage by existing tests: all of them, unit or integration tests, and HTTP tests
	rows                    [len(paperBudgets)]paperRow
}

// paperRow has the figures of a service and a budget in Tables 4 to 7. The index of the slices is that of P in
// paperSmart. gains are in percent. a12 and p are for P = 0.6; a p of 0 is printed as < 0.001.
type paperRow struct {
	covered, gains, with5xx []float64
	a12, p                  float64
}

// The settings of the paper.
var (
	paperBudgets = [...]int{10_000, 100_000}
	paperSmart   = []float64{0, 0.2, 0.4, 0.6, 0.8, 1}
	paperGains   = []float64{0, 12.5, 14.7, 14.4, 15.1, 14.0} // averages of Table 5
)

const (
	paperRuns   = 100 // number of runs for each service, budget and P
	paperChosen = 3   // index of P = 0.6
)

// minusZero is printed as -0.0.
var minusZero = math.Copysign(0, -1)

var paperServices = []paperService{
	{
		name: "catwatch", files: 69, lines: 5442, endpoints: 23,
		tests: 39.5, codes: 1.6, most5xx: 5,
		coverage: 0.32, manual: [...]float64{0.56, 0.8, 0.53},
		rows: [...]paperRow{
			{
				covered: []float64{964.2, 964.5, 964.9, 965.8, 965.7, 968.8},
				gains:   []float64{0, 0, 0.1, 0.2, 0.2, 0.5},
				with5xx: []float64{5, 5, 5, 5, 5, 5},
				a12:     0.66, p: 0,
			},
			{
				covered: []float64{971.5, 971.5, 972, 971.8, 971.7, 971.7},
				gains:   []float64{0, minusZero, 0, 0, 0, 0},
				with5xx: []float64{5, 5, 5, 5, 5, 5},
				a12:     0.51, p: 0.83,
			},
		},
	},
	{
		name: "features-service", files: 23, lines: 1247, endpoints: 18,
		tests: 49.6, codes: 2.6, most5xx: 14,
		coverage: 0.64, manual: [...]float64{0.82, 0.16, 0.78},
		rows: [...]paperRow{
			{
				covered: []float64{282.5, 486.1, 506.1, 500.5, 501.6, 496.5},
				gains:   []float64{0, 72.1, 79.1, 77.2, 77.5, 75.7},
				with5xx: []float64{13.4, 13.4, 13.3, 13.2, 13.3, 13.2},
				a12:     1, p: 0,
			},
			{
				covered: []float64{446.9, 551.5, 542.8, 536.2, 533, 520.1},
				gains:   []float64{0, 23.4, 21.5, 20, 19.3, 16.4},
				with5xx: []float64{14, 13.5, 13.4, 13.4, 13.4, 13.4},
				a12:     0.75, p: 0,
			},
		},
	},
	{
		name: "proxyprint", files: 68, lines: 7534, endpoints: 74,
		tests: 213.7, codes: 2.8, most5xx: 28,
		coverage: 0.43, manual: [...]float64{0.4, 0.4, 0},
		rows: [...]paperRow{
			{
				covered: []float64{1308.2, 1357.3, 1376.1, 1342.4, 1343.2, 1343.3},
				gains:   []float64{0, 3.8, 5.2, 2.6, 2.7, 2.7},
				with5xx: []float64{26.8, 27.4, 27.3, 27.2, 27.2, 27},
				a12:     0.71, p: 0,
			},
			{
				covered: []float64{1414.9, 1416.9, 1407.6, 1418.5, 1400.2, 1403.1},
				gains:   []float64{0, 0.1, -0.5, 0.3, -1, -0.8},
				with5xx: []float64{28, 28, 28, 28, 27.9, 27.5},
				a12:     0.46, p: 0.376,
			},
		},
	},
	{
		name: "rest-news", files: 10, lines: 718, endpoints: 7,
		tests: 24.7, codes: 1.9, most5xx: 0,
		coverage: 0.65, manual: [...]float64{0.58, 0, 0.58},
		rows: [...]paperRow{
			{
				covered: []float64{251.1, 246.5, 251.8, 248, 250.4, 239.3},
				gains:   []float64{0, -1.8, 0.3, -1.2, -0.3, -4.7},
				with5xx: []float64{0, 0, 0, 0, 0, 0},
				a12:     0.41, p: 0.041,
			},
			{
				covered: []float64{262, 259.7, 264.6, 261.9, 265.5, 254.4},
				gains:   []float64{0, -0.9, 1, -0.1, 1.3, -2.9},
				with5xx: []float64{0, 0, 0, 0, 0, 0},
				a12:     0.43, p: 0.08,
			},
		},
	},
	{
		name: "scout-api", files: 75, lines: 7479, endpoints: 49,
		tests: 177.2, codes: 2.8, most5xx: 33,
		coverage: 0.38, manual: [...]float64{0.52, 0.11, 0.41},
		rows: [...]paperRow{
			{
				covered: []float64{1328.1, 1398.4, 1464.5, 1506.2, 1555.3, 1587.2},
				gains:   []float64{0, 5.3, 10.3, 13.4, 17.1, 19.5},
				with5xx: []float64{33, 33, 33, 33, 32.9, 32.7},
				a12:     0.91, p: 0,
			},
			{
				covered: []float64{1414.6, 1745.3, 1837.7, 1869.5, 1893.4, 1891.8},
				gains:   []float64{0, 23.4, 29.9, 32.2, 33.8, 33.7},
				with5xx: []float64{33, 33, 33, 33, 33, 33},
				a12:     1, p: 0,
			},
		},
	},
}

// PaperTables returns the tables as printed in the EvoMaster paper. Figures that the paper does not have are NaN. The
// figures of Table 2 are for the higher budget only.
func PaperTables() Tables {
	t := Tables{Smart: paperSmart, Chosen: paperChosen}
	for _, percent := range paperGains {
		t.Gains = append(t.Gains, percent/100)
	}
	for _, s := range paperServices {
		t.Services = append(t.Services, Artifact{
			Name: s.name, Size: &model.SourceSize{Files: s.files, Lines: s.lines}, Endpoints: s.endpoints,
		})
		t.Manual = append(t.Manual, ManualRow{
			Service: s.name, Best: s.coverage, Mean: math.NaN(), Total: s.manual[0], Unit: s.manual[1], HTTP: s.manual[2],
		})
		for i, r := range s.rows {
			row := TableRow{Service: s.name, Budget: paperBudgets[i], White: true}
			for j := range paperSmart {
				row.Settings = append(row.Settings, r.setting(j, s.endpoints))
			}
			if at := &row.Settings[paperChosen]; i == len(paperBudgets)-1 {
				at.Tests, at.Codes, at.Most5xx = s.tests, s.codes, s.most5xx
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Runs = paperRuns * len(t.Rows) * len(paperSmart)
	return t
}

// setting returns the figures for the P with index i. endpoints is the number of operations.
func (r paperRow) setting(i, endpoints int) Setting {
	none := math.NaN()
	s := Setting{
		Runs: paperRuns, Operations: endpoints, Tests: none, Codes: none, With2xx: none, With4xx: none, With5xx: r.with5xx[i],
		Covered: r.covered[i], Code: none, Faults: none, Marks: none, Gain: r.gains[i] / 100, A12: none, P: none,
	}
	if i == paperChosen {
		s.A12, s.P = r.a12, r.p
	}
	return s
}
