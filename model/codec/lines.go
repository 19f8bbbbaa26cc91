package codec

import (
	"fmt"
	"regexp"
	"strings"

	"sonde/model"
)

// lineSeqs reads the output of sonde seqs: one seq a line, with commas between its operations. An operation
// that was called is followed by the status of its answer. Empty lines are ignored.
func lineSeqs(text string) (RequestSeqs, error) {
	t := RequestSeqs{Kind: KindSeqs}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		seq := lineSeq(line)
		switch {
		case seq != nil:
			t.All = append(t.All, requestSeq(fmt.Sprintf("line %d", i+1), seq))
		case len(t.All) == 0:
			return t, ErrUnknownFile
		default:
			return t, fmt.Errorf("line %d is %.60q, which is not a seq: it must look like GET /products, POST /orders", i+1, line)
		}
	}
	if len(t.All) == 0 {
		return t, ErrUnknownFile
	}
	return t, nil
}

// lineSeq returns the operations in a line, nil if the line does not start with an operation. An operation ends at a
// comma that is followed by a method. Other commas are parts of paths.
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
	return withoutStatuses(append(seq, model.OpID(line[from:])))
}

// statusAtEnd matches the status after an operation that was called. The status is 0 if there was no answer.
var statusAtEnd = regexp.MustCompile(` (0|[1-5]\d\d)$`)

// withoutStatuses removes the status after each operation of a seq. If an operation has none, the seq was not called,
// and numbers at the end of operations are parts of paths. The seq is then returned unchanged.
func withoutStatuses(seq model.Seq) model.Seq {
	out := make(model.Seq, len(seq))
	for i, op := range seq {
		end := statusAtEnd.FindStringIndex(string(op))
		if end == nil {
			return seq
		}
		out[i] = op[:end[0]]
	}
	return out
}

func beginsOperation(text string) bool {
	method, path, _ := strings.Cut(text, " ")
	return model.IsMethod(method) && path != ""
}
