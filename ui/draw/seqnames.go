package draw

import (
	"strings"

	"sonde/model"
)

// SeqNames has the names of operations for lists and seqs. Each operation has a short, distinct path and, if the spec
// gives them, an operationId and a summary. The copies of a SeqNames share the current naming. The zero value names
// every operation by the end of its path. A SeqNames must not be used by several goroutines at once.
type SeqNames struct {
	paths map[model.OpID]string
	given map[model.OpID]given
	has   [namings]bool // index: naming; value: whether some operation has a name; unused for ByPath
	by    *Naming       // current naming; nil for ByPath
}

// NewSeqNames returns the names of operations. If operations with the same method have the same short name,
// their names get more segments until they differ.
func NewSeqNames(ops []*model.Operation) SeqNames {
	n := SeqNames{paths: make(map[model.OpID]string, len(ops)), given: make(map[model.OpID]given, len(ops)), by: new(Naming)}
	same := map[string][]model.OpID{}
	for _, op := range ops {
		given := givenNames(op)
		n.given[op.ID] = given
		n.has[ByOperationID] = n.has[ByOperationID] || given.id != ""
		n.has[BySummary] = n.has[BySummary] || given.summary != ""
		method, path, _ := strings.Cut(Clean(string(op.ID)), " ")
		n.paths[op.ID] = short(path)
		name := method + " " + n.paths[op.ID]
		same[name] = append(same[name], op.ID)
	}
	for _, twins := range same {
		if len(twins) > 1 {
			n.lengthen(twins)
		}
	}
	return n
}

// lengthen makes the names of twins differ. Twins are operations with equal names. Each name gets more segments of
// its path until all names differ, or until no path has further segments.
func (n SeqNames) lengthen(twins []model.OpID) {
	for more := 1; ; more++ {
		count, grown := map[string]int{}, false
		for _, id := range twins {
			_, path, _ := strings.Cut(Clean(string(id)), " ")
			name := tail(path, more)
			grown = grown || name != n.paths[id]
			n.paths[id] = name
			count[name]++
		}
		if len(count) == len(twins) || !grown {
			return
		}
	}
}

// short returns the short path of an operation.
func (n SeqNames) short(id model.OpID) string {
	if name, known := n.paths[id]; known {
		return name
	}
	_, path, _ := strings.Cut(Clean(string(id)), " ")
	return short(path)
}

// tail returns the short name of a path with the segments before it. The parameter more is the maximum number of
// these segments. If the result is the whole path, it begins with a slash.
func tail(path string, more int) string {
	name := short(path)
	segments := segmentsOf(path)
	from := max(0, len(segments)-len(segmentsOf(name))-more)
	for i := from; i < len(segments); i++ {
		if strings.HasPrefix(segments[i], "{") {
			segments[i] = "{}"
		}
	}
	name = strings.Join(segments[from:], "/")
	if from == 0 {
		return "/" + name
	}
	return name
}

func segmentsOf(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}
