package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"sonde/runner/lab/study"
)

// studyColumns has the names of the columns of WriteStudyCSV.
var studyColumns = []string{
	"service", "way", "sight", "calls", "p", "runs", "operations", "tests", "codes", "with_2xx", "with_4xx", "with_5xx", "max_5xx",
	"covered", "covered_code", "improvement", "a12", "p_value", "faults", "marks", "all_marks", "mutation_score",
}

// WriteStudyCSV writes a row for each service, way, mode, budget and P, with all numbers of the tables. The
// improvement is a fraction of the base, "" if the base covers no target. The mutation score is a percentage of the
// mutants, "" if suites are not judged.
func WriteStudyCSV(w io.Writer, t study.Tables) error {
	table := csv.NewWriter(w)
	table.Write(studyColumns)
	for _, r := range t.Rows {
		for i, s := range r.Settings {
			row := []string{
				r.Service, r.Way, r.Mode, strconv.Itoa(r.Budget), fmt.Sprint(t.Smart[i]), strconv.Itoa(s.Runs),
				strconv.Itoa(s.Operations),
			}
			row = append(row, exact(s.Tests, s.Codes, s.With2xx, s.With4xx, s.With5xx)...)
			row = append(row, strconv.Itoa(s.Most5xx))
			row = append(row, exact(s.Covered, s.Code, s.Gain, s.A12, s.P, s.Faults, s.Marks)...)
			row = append(row, strconv.Itoa(s.AllMarks))
			score := ""
			if t.Judged {
				score = exact(s.MutationScore)[0]
			}
			table.Write(append(row, score))
		}
	}
	table.Flush()
	return table.Error()
}

// WriteComparisonCSV writes the comparison of white-box and black-box searches: a row for each service, budget, P and
// measure.
func WriteComparisonCSV(w io.Writer, t study.Tables) error {
	table := csv.NewWriter(w)
	table.Write([]string{"service", "way", "calls", "p", "runs", "measure", "black", "white", "a12", "p_value"})
	for _, s := range t.Comparisons {
		for i, f := range s.Figures {
			if study.Measures[i] == study.MeasureMutants && !t.Judged {
				continue
			}
			row := []string{
				s.Service, s.Way, strconv.Itoa(s.Budget), fmt.Sprint(s.Smart), strconv.Itoa(s.Runs), string(study.Measures[i]),
			}
			table.Write(append(row, exact(f.Black, f.White, f.A12, f.P)...))
		}
	}
	table.Flush()
	return table.Error()
}

// WriteWaysCSV writes a row for each service, mode, budget, P and way of sampling. The numbers compare each way with
// the first way.
func WriteWaysCSV(w io.Writer, t study.Tables) error {
	table := csv.NewWriter(w)
	table.Write([]string{"service", "sight", "calls", "p", "runs", "way", "covered", "improvement", "a12", "p_value"})
	for _, c := range t.Ways {
		for _, way := range c.Ways {
			row := []string{c.Service, c.Mode, strconv.Itoa(c.Budget), fmt.Sprint(c.Smart), strconv.Itoa(c.Runs), way.Name}
			table.Write(append(row, exact(way.Covered, way.Gain, way.A12, way.P)...))
		}
	}
	table.Flush()
	return table.Error()
}

// WriteListsCSV writes a row for each service, budget, list and measure. The numbers compare each list with the first one.
func WriteListsCSV(w io.Writer, t study.Tables) error {
	table := csv.NewWriter(w)
	table.Write([]string{"service", "calls", "runs", "list", "measure", "mean", "a12", "p_value"})
	for _, c := range t.Lists {
		for _, list := range c.Lists {
			for i, f := range list.Figures {
				row := []string{c.Service, strconv.Itoa(c.Budget), strconv.Itoa(c.Runs), list.Name, string(study.ListMeasures[i])}
				table.Write(append(row, exact(f.Mean, f.A12, f.P)...))
			}
		}
	}
	table.Flush()
	return table.Error()
}

// WriteFaultsCSV writes a row for each fault of each service, way, mode and budget, and for each P: how many of the
// runs found it.
func WriteFaultsCSV(w io.Writer, t study.Tables) error {
	table := csv.NewWriter(w)
	table.Write([]string{
		"service", "way", "sight", "calls", "p", "found", "operation", "oracle", "severity", "status", "input", "signature",
	})
	for _, f := range t.Faults {
		for i, p := range t.Smart {
			status := ""
			if f.Status != 0 {
				status = strconv.Itoa(f.Status)
			}
			table.Write([]string{
				f.Service, f.Way, f.Mode, strconv.Itoa(f.Budget), fmt.Sprint(p), strconv.Itoa(f.Runs[i]), string(f.Op), f.Oracle,
				string(f.Severity), status, f.Input.String(), f.Signature,
			})
		}
	}
	table.Flush()
	return table.Error()
}

func exact(numbers ...float64) []string {
	var all []string
	for _, n := range numbers {
		text := strconv.FormatFloat(n, 'g', 6, 64)
		if math.IsNaN(n) {
			text = ""
		}
		all = append(all, text)
	}
	return all
}
