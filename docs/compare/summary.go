package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// summaryMeasures are the measures in a cell of the summary.
var summaryMeasures = []measure{statementMeasure, successMeasure, failureMeasure, undeclaredMeasure, secondMeasure}

// summary prints a table of all services with medians. For each half of the services, tuned and held out, it also
// prints how the first tool compares with the other tools.
func summary(w io.Writer, all []comparison) error {
	var b strings.Builder
	var names []string
	for _, m := range summaryMeasures {
		names = append(names, m.name)
	}
	fmt.Fprintf(&b, "Medians. Each cell: %s. *: a run ended by time.\n\n", strings.Join(names, " / "))
	b.WriteString("| service | half | operations |")
	for _, t := range all[0].tools {
		fmt.Fprintf(&b, " %s |", t.name)
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(all[0].tools)) + "\n")
	for _, c := range all {
		fmt.Fprintf(&b, "| %s | %s | %d |", c.service.Name, c.service.Half, len(c.service.ops))
		for i := range c.tools {
			fmt.Fprintf(&b, " %s |", c.cell(i))
		}
		b.WriteString("\n")
	}
	for _, half := range []string{tuned, heldOut} {
		b.WriteString(summaryLine(half, all))
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// cell returns the medians of a tool, one for each of summaryMeasures, and a * if time ended a run.
func (c comparison) cell(tool int) string {
	var figures []string
	for _, m := range summaryMeasures {
		v := c.values(tool, m)
		if len(v) == 0 {
			figures = append(figures, "-")
			continue
		}
		figures = append(figures, short(median(v)))
	}
	mark := ""
	if slices.ContainsFunc(c.runs[tool], func(r result) bool { return r.Late }) {
		mark = "*"
	}
	return strings.Join(figures, " / ") + mark
}

// summaryLine describes how the first tool compares with the other tools on the services of a half. It returns
// "" if the half has no services or there is only one tool. The line has:
//
//   - the number of services on which the first tool is first: no other tool has a higher median of
//     statements or of operations with a 2xx
//   - each case in which another tool has a higher median of statements, of operations with a 2xx, or of
//     operations with an undeclared 5xx
func summaryLine(half string, all []comparison) string {
	first, count := 0, 0
	var behind []string
	for _, c := range all {
		if c.service.Half != half || len(c.tools) < 2 {
			continue
		}
		count++
		lost := c.behind(statementMeasure, successMeasure)
		if len(lost) == 0 {
			first++
		}
		behind = append(behind, append(lost, c.behind(undeclaredMeasure)...)...)
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("\n%s: %s is first in statements and in operations with a 2xx on %d of %d. Behind: %s.\n",
		half, all[0].tools[0].name, first, count, cmp.Or(strings.Join(behind, "; "), "nothing"))
}

// behind lists the measures for which another tool has a higher median than the first tool, with the highest
// median.
func (c comparison) behind(measures ...measure) (lost []string) {
	for _, m := range measures {
		ours := c.values(0, m)
		if len(ours) == 0 {
			continue
		}
		best, by := median(ours), ""
		for i := 1; i < len(c.tools); i++ {
			if theirs := c.values(i, m); len(theirs) > 0 && median(theirs) > best {
				best, by = median(theirs), c.tools[i].name
			}
		}
		if by != "" {
			lost = append(lost, fmt.Sprintf("%s, %s: %s, %s %s", c.service.Name, m.name, short(median(ours)), by, short(best)))
		}
	}
	return lost
}
