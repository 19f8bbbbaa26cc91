package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"sonde/analysis/survey"
)

// columns has the names of the columns, which are the first line of the CSV.
var columns = []string{
	"service", "tag", "operations", "groups",
	"dc_seqs", "dc_gave_up", "dc_groups_per_seq", "dc_covered",
	"sc_seqs", "sc_gave_up", "sc_groups_per_seq", "sc_covered",
}

// writeCSV writes a row for each case. Names are written unchanged.
func writeCSV(w io.Writer, cases []survey.Case) error {
	table := csv.NewWriter(w)
	table.Write(columns)
	for _, c := range cases {
		row := []string{c.Service, c.Tag, strconv.Itoa(c.Operations), strconv.Itoa(c.Groups)}
		for _, l := range []survey.Listing{c.DC, c.SC} {
			row = append(row, strconv.Itoa(l.Seqs), strconv.FormatBool(l.GaveUp), mean(l), strconv.Itoa(l.Covered))
		}
		table.Write(row)
	}
	table.Flush()
	return table.Error()
}

// mean returns the mean number of groups per seq, "" if no seq is listed.
func mean(l survey.Listing) string {
	n, ok := l.GroupsPerSeq()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.4f", n)
}
