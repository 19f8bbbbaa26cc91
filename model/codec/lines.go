package codec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// methods begin an operation's ID.
var methods = []string{"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"}

// lineTrails reads what sonde seqs prints: a seq a line, its operations with
// commas between them, each with the status of its answer where it was called.
// Empty lines do not count.
func lineTrails(text string) (RequestSeqs, error) {
	t := RequestSeqs{Kind: KindSeqs}
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
	return bare(append(seq, model.OpID(line[from:])))
}

// answered is how an operation ends that was called: with a status, or 0 where
// there was no answer.
var answered = regexp.MustCompile(` (0|[1-5]\d\d)$`)

// bare takes the statuses off a seq. They stand behind all operations or none;
// else they belong to the paths.
func bare(seq model.Seq) model.Seq {
	out := make(model.Seq, len(seq))
	for i, op := range seq {
		end := answered.FindStringIndex(string(op))
		if end == nil {
			return seq
		}
		out[i] = op[:end[0]]
	}
	return out
}

func beginsOperation(text string) bool {
	method, path, _ := strings.Cut(text, " ")
	return slices.Contains(methods, method) && path != ""
}
