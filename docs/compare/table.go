package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sonde/runner/lab/stat"
)

// comparison has the runs of the tools on a service.
type comparison struct {
	service service
	tools   []tool
	runs    [][]result // for each tool, the results of its runs
}

// table prints a comparison as Markdown. Each tool is compared with the first one.
func (c comparison) table(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s, %d runs each |", c.service.Name, len(c.runs[0]))
	rule := "\n|---|"
	for i, t := range c.tools {
		fmt.Fprintf(&b, " %s |", t.name)
		rule += "---|"
		if i > 0 {
			b.WriteString(" Â12 | p |")
			rule += "---|---|"
		}
	}
	b.WriteString(rule + "\n")
	for _, m := range measures {
		if !m.found || c.found(m) {
			b.WriteString(c.row(m))
		}
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// row returns the table row of a measure, with a cell for each tool, and a comparison of the first tool with each
// other tool.
func (c comparison) row(m measure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |", m.name)
	ours := c.values(0, m)
	for i := range c.tools {
		theirs := c.values(i, m)
		fmt.Fprintf(&b, " %s |", spread(theirs))
		switch {
		case i == 0:
		case !m.rated || len(ours) == 0 || len(theirs) == 0:
			b.WriteString("  |  |")
		default:
			_, p := stat.MannWhitney(ours, theirs)
			fmt.Fprintf(&b, " %.2f | %.2g |", stat.A12(ours, theirs), p)
		}
	}
	return b.String() + "\n"
}

// found reports whether a measure is greater than 0 in any run.
func (c comparison) found(m measure) bool {
	for i := range c.tools {
		if v := c.values(i, m); len(v) > 0 && v[len(v)-1] > 0 {
			return true
		}
	}
	return false
}

// values returns the known values of a measure in the runs of a tool, sorted.
func (c comparison) values(tool int, m measure) (all []float64) {
	for _, r := range c.runs[tool] {
		if v, ok := m.value(c.service, r); ok {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return all
}

// differences compares the first tool with each other tool. It prints the faults and pairs that the first tool
// found in more runs than the other, and those that the other found in more runs.
func (c comparison) differences(w io.Writer) error {
	var b strings.Builder
	for i := 1; i < len(c.tools); i++ {
		for _, turn := range [][2]int{{0, i}, {i, 0}} {
			mine, other := c.runs[turn[0]], c.runs[turn[1]]
			found := slices.Concat(
				moreFrequent(mine, other, func(r result) map[string]bool { return r.Faults }),
				moreFrequent(mine, other, func(r result) map[string]bool { return r.Pairs }),
			)
			fmt.Fprintf(&b, "%s in more runs than %s: %s.\n\n",
				c.tools[turn[0]].name, c.tools[turn[1]].name, cmp.Or(strings.Join(found, ", "), "nothing"))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// median returns the median of sorted values, which must not be empty.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// spread returns the median of sorted values. If the values differ, the minimum and the maximum follow in
// brackets. Without values it returns "-".
func spread(sorted []float64) string {
	n := len(sorted)
	if n == 0 {
		return "-"
	}
	if sorted[0] == sorted[n-1] {
		return short(median(sorted))
	}
	return fmt.Sprintf("%s (%s–%s)", short(median(sorted)), short(sorted[0]), short(sorted[n-1]))
}

// short formats a number with at most one decimal.
func short(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

// moreFrequent lists the names that occur in more runs of a than of b, with both numbers of runs. found returns the
// names of a run.
func moreFrequent(a, b []result, found func(result) map[string]bool) (lines []string) {
	inA, inB := tally(a, found), tally(b, found)
	for _, name := range slices.Sorted(maps.Keys(inA)) {
		if inA[name] > inB[name] {
			lines = append(lines, fmt.Sprintf("%s (%d, not %d)", name, inA[name], inB[name]))
		}
	}
	return lines
}

// tally returns, for each name that found returns for a run, the number of runs that have this name.
func tally(runs []result, found func(result) map[string]bool) map[string]int {
	count := map[string]int{}
	for _, r := range runs {
		for name := range found(r) {
			count[name]++
		}
	}
	return count
}
