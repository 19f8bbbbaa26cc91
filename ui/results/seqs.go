package results

import (
	"fmt"
	"strings"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/console"
	"sonde/ui/draw"
)

// SeqReport is the JSON of sonde seqs if it does not call the seqs.
type SeqReport struct {
	Seqs []model.Seq `json:"seqs"`
	// GaveUp is true if more seqs exist than the limit.
	GaveUp bool          `json:"gave_up"`
	Values []ValueReport `json:"values"`
}

// NewSeqReport returns the report of listed seqs of an analysis.
func NewSeqReport(a *analysis.Analysis, list distil.Listing) SeqReport {
	return SeqReport{
		Seqs:   append([]model.Seq{}, list.Seqs...),
		GaveUp: list.GaveUp,
		Values: NewValueReports(a.Matcher(), a.Operations),
	}
}

// PrintSeqs writes a line for each seq.
func PrintSeqs(s console.Streams, list distil.Listing) error {
	for _, seq := range list.Seqs {
		if _, err := fmt.Fprintln(s.Out, SeqText(seq)); err != nil {
			return err
		}
	}
	if list.GaveUp {
		console.PrintMoreNote(s.Err, len(list.Seqs))
	}
	return nil
}

// SeqText returns a seq as one line that is safe to print.
func SeqText(seq model.Seq) string {
	var parts []string
	for _, op := range seq {
		parts = append(parts, draw.Clean(string(op)))
	}
	return strings.Join(parts, ", ")
}
