package codec

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// methods begin an operation's ID.
var methods = []string{"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"}

// lineTrails reads what sonde seqs prints: a seq a line, its operations with
// commas between them. Empty lines do not count.
func lineTrails(text string) (Trails, error) {
	t := Trails{Kind: KindSeqs}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		seq := lineSeq(line)
		switch {
		case seq != nil:
			t.All = append(t.All, seqTrail(fmt.Sprintf("line %d", i+1), seq))
		case len(t.All) == 0:
			return t, errStrange
		default:
			return t, fmt.Errorf("line %d is %.60q, which is no seq: it must look like GET /products, POST /orders", i+1, line)
		}
	}
	if len(t.All) == 0 {
		return t, errStrange
	}
	return t, nil
}

// lineSeq returns the operations in a line, nil if it does not begin with one.
// Paths may hold commas, too; one before a method is taken for the end of an
// operation.
func lineSeq(line string) model.Seq {
	if !beginsOperation(line) {
		return nil
	}
	var seq model.Seq
	const comma = ", "
	from := 0
	for at := range line {
		if strings.HasPrefix(line[at:], comma) && beginsOperation(line[at+len(comma):]) {
			seq = append(seq, model.OpID(line[from:at]))
			from = at + len(comma)
		}
	}
	return append(seq, model.OpID(line[from:]))
}

func beginsOperation(text string) bool {
	method, path, _ := strings.Cut(text, " ")
	return slices.Contains(methods, method) && path != ""
}
