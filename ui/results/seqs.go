package results

import (
	"fmt"
	"strings"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/console"
	"sonde/ui/draw"
)

// PrintSeqs writes seqs, a line each.
func PrintSeqs(s console.Streams, list distil.Listing) error {
	for _, seq := range list.Seqs {
		if _, err := fmt.Fprintln(s.Out, ChainText(seq)); err != nil {
			return err
		}
	}
	if list.GaveUp {
		console.NoteMore(s.Err, len(list.Seqs))
	}
	return nil
}

// ChainText is a seq in one line.
func ChainText(seq model.Seq) string {
	var parts []string
	for _, op := range seq {
		parts = append(parts, draw.Clean(string(op)))
	}
	return strings.Join(parts, ", ")
}
