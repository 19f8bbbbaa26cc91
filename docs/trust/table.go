package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// table prints the results as a Markdown table, with a row for each service and mode, over all seeds.
func table(w io.Writer, results []result) error {
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.Debug)
	head := []string{"", "service", "reset", "runs", "planted found", "other faults"}
	names := playedFormats(results)
	for _, name := range names {
		head = append(head, name+" passes")
	}
	fmt.Fprintln(t, strings.Join(head, "\t")+"\t")
	fmt.Fprintln(t, strings.Repeat("\t---", len(head)-1)+"\t")
	for len(results) > 0 {
		n := slices.IndexFunc(results, func(r result) bool {
			return r.service != results[0].service || r.mode != results[0].mode
		})
		if n < 0 {
			n = len(results)
		}
		fmt.Fprintln(t, strings.Join(row(results[:n], names), "\t")+"\t")
		results = results[n:]
	}
	return t.Flush()
}

// row returns the row of one service and mode.
func row(results []result, names []string) []string {
	planted, other := map[string]bool{}, 0
	for _, r := range results {
		for _, name := range r.planted {
			planted[name] = true
		}
		other += len(r.other)
	}
	cells := []string{"", results[0].service, results[0].mode, fmt.Sprint(len(results)), fmt.Sprint(len(planted)), fmt.Sprint(other)}
	for _, name := range names {
		passed, all := 0, 0
		for _, r := range results {
			for _, p := range r.plays {
				if p.format == name {
					passed, all = passed+p.passed, all+p.passed+p.failed
				}
			}
		}
		cells = append(cells, fmt.Sprintf("%d of %d", passed, all))
	}
	return cells
}

// playedFormats returns the formats that were run at least once.
func playedFormats(results []result) []string {
	var names []string
	for _, r := range results {
		for _, p := range r.plays {
			if p.skipped == "" && !slices.Contains(names, p.format) {
				names = append(names, p.format)
			}
		}
	}
	return names
}
