package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sonde/runner/lab/stat"
)

// rows are the measures that are compared.
var rows = []struct {
	name  string
	value func(result) float64
	rated bool // more is better, and A12 and p are printed
}{
	{name: "distinct faults", value: func(r result) float64 { return float64(len(r.Faults)) }, rated: true},
	{name: "pairs of operation and status", value: func(r result) float64 { return float64(len(r.Pairs)) }, rated: true},
	{name: "requests", value: func(r result) float64 { return float64(r.Requests) }, rated: false},
	{name: "seconds", value: func(r result) float64 { return r.Took.Seconds() }, rated: false},
}

// table prints the results of two tools on a service, as Markdown.
func table(w io.Writer, s service, tools []tool, runs [][]result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s, %d runs each | %s | %s | A12 | p |\n|---|---|---|---|---|\n", s.name, len(runs[0]), tools[0].name, tools[1].name)
	for _, row := range rows {
		ours, theirs := values(runs[0], row.value), values(runs[1], row.value)
		fmt.Fprintf(&b, "| %s | %s | %s |", row.name, spread(ours), spread(theirs))
		if row.rated {
			_, p := stat.MannWhitney(ours, theirs)
			fmt.Fprintf(&b, " %.2f | %.2g", stat.A12(ours, theirs), p)
		} else {
			b.WriteString(" | ")
		}
		b.WriteString(" |\n")
	}
	for i := range tools {
		faults := more(runs[i], runs[1-i], func(r result) map[string]bool { return r.Faults })
		pairs := more(runs[i], runs[1-i], func(r result) map[string]bool { return r.Pairs })
		fmt.Fprintf(&b, "\n%s in more runs: %s\n", tools[i].name, list(slices.Concat(faults, pairs)))
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// values returns one measure of all runs, sorted.
func values(runs []result, value func(result) float64) (all []float64) {
	for _, r := range runs {
		all = append(all, value(r))
	}
	slices.Sort(all)
	return all
}

// spread returns the median of sorted values. If the values differ, the minimum and the maximum follow in
// brackets.
func spread(sorted []float64) string {
	n := len(sorted)
	median := (sorted[(n-1)/2] + sorted[n/2]) / 2
	if sorted[0] == sorted[n-1] {
		return short(median)
	}
	return fmt.Sprintf("%s (%s–%s)", short(median), short(sorted[0]), short(sorted[n-1]))
}

// short formats a number with at most one decimal.
func short(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

// more lists what was found in more runs of ours than of theirs, with both numbers of runs.
func more(ours, theirs []result, met func(result) map[string]bool) (lines []string) {
	a, b := tally(ours, met), tally(theirs, met)
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if a[name] > b[name] {
			lines = append(lines, fmt.Sprintf("%s (%d, not %d)", name, a[name], b[name]))
		}
	}
	return lines
}

// tally counts the runs in which each thing was found.
func tally(runs []result, met func(result) map[string]bool) map[string]int {
	count := map[string]int{}
	for _, r := range runs {
		for name := range met(r) {
			count[name]++
		}
	}
	return count
}

// list joins lines with commas and ends them with a full stop. Without lines it returns "nothing.".
func list(lines []string) string {
	if len(lines) == 0 {
		return "nothing."
	}
	return strings.Join(lines, ", ") + "."
}
