package results

import (
	"fmt"
	"strings"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/console"
	"sonde/ui/draw"
)

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

// SeqText returns a seq in one line that is safe to print.
func SeqText(seq model.Seq) string {
	var parts []string
	for _, op := range seq {
		parts = append(parts, draw.Clean(string(op)))
	}
	return strings.Join(parts, ", ")
}
