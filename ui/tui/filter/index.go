package filter

import (
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
)

// Index has the texts and facts of a spec's operations for filters. Once complete, it may be used by
// several goroutines at once.
type Index struct {
	texts   []text  // all texts, without duplicates
	values  []value // all values, without duplicates, because many operations of a large document share values
	ops     map[model.OpID]*entry
	count   int                // number of operations; several may have the same ID
	indexes *incompleteIndexes // nil once the index is complete
}

// incompleteIndexes has the indices of the texts and values of an incomplete index.
type incompleteIndexes struct {
	text  map[text]int32
	name  map[string]int32 // key: name; value: index of its text
	value map[value]int32
}

// text is a text to search.
type text struct {
	plain, low string // the text, and the folded text
	joined     string // folded, without separators: user_id, userId and user.id are equal; "" for prose
	prose      bool
}

func newText(plain string, prose bool) text {
	t := text{plain: plain, low: fold(plain), prose: prose}
	if !prose {
		t.joined = joined(t.low)
	}
	return t
}

func joined(low string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' {
			return -1
		}
		return r
	}, low)
}

// entry is an operation. Its lists are indices of texts.
type entry struct {
	no                  int    // index of the operation, from 0
	method              string // method in lower case
	group               string // number of the operation's group, from 1
	path, tags          []int32
	own                 []int32 // the path, ID and operationId
	summary             int32
	description         int32
	names               []int32 // the texts of own, tags and summary
	schemas             []int32
	values              []int32  // indices of the operation's values
	declared            []string // declared statuses
	unused              bool     // no other operation takes or emits a value of the operation
	deprecated, secured bool
}

// value is a value that an operation takes or emits.
type value struct {
	names  [2]int32 // indices of the value's name and identity in the texts
	in     model.Location
	unused bool // an operation emits the value, and no other operation takes it
}

// NewIndex indexes the document's information about the operations of a spec, which is slow for a large spec.
// AddAnalysis adds values and groups.
func NewIndex(spec *model.Spec) *Index {
	x := &Index{
		ops:     map[model.OpID]*entry{},
		count:   len(spec.Operations),
		indexes: &incompleteIndexes{text: map[text]int32{}, name: map[string]int32{}, value: map[value]int32{}},
	}
	schemas := components{inside: map[*model.Schema][]*model.Schema{}}
	for i, op := range spec.Operations {
		e := x.describe(op)
		e.no, e.schemas = i, x.add(schemas.names(op)...)
		x.ops[op.ID] = e
	}
	return x
}

// unknownRanks returns an unknown rank for each operation. The index may be nil.
func (x *Index) unknownRanks() []MatchRank {
	if x == nil {
		return nil
	}
	return slices.Repeat([]MatchRank{unknownRank}, x.count)
}

// AddAnalysis adds the values and the groups of operations to the index of a spec. It is slow for large
// specs. Afterwards the index is read-only.
func (x *Index) AddAnalysis(spec *model.Spec, m *match.Matcher, groupOf map[model.OpID]int) {
	takers, members := takersOf(spec, m), map[int]int{}
	for _, g := range groupOf {
		members[g]++
	}
	for _, op := range spec.Operations {
		e := x.ops[op.ID]
		e.values = x.valuesOf(op, m, takers)
		if g, known := groupOf[op.ID]; known {
			e.group = strconv.Itoa(g + 1)
			e.unused = members[g] == 1
		}
	}
	x.indexes = nil
}

// valuesOf returns the indices of an operation's values without duplicates. It adds new values.
func (x *Index) valuesOf(op *model.Operation, m *match.Matcher, takers map[string][]model.OpID) []int32 {
	var all []int32
	for _, u := range m.UsesOf(op) {
		all = append(all, x.value(value{
			names: [2]int32{x.name(u.Name), x.name(u.ID)}, in: u.In, unused: u.Out && !others(takers[u.ID], op.ID),
		}))
	}
	slices.Sort(all)
	return slices.Clone(slices.Compact(all))
}

// value returns the index of a value. It adds a new value.
func (x *Index) value(v value) int32 {
	i, known := x.indexes.value[v]
	if !known {
		i = int32(len(x.values))
		x.indexes.value[v] = i
		x.values = append(x.values, v)
	}
	return i
}

// takersOf returns the operations that take each value, by the value's ID.
func takersOf(spec *model.Spec, m *match.Matcher) map[string][]model.OpID {
	takers := map[string][]model.OpID{}
	for _, op := range spec.Operations {
		for _, u := range m.UsesOf(op) {
			if !u.Out {
				takers[u.ID] = append(takers[u.ID], op.ID)
			}
		}
	}
	return takers
}

// others reports whether a list of operations contains another operation than the given one.
func others(ops []model.OpID, but model.OpID) bool {
	return slices.ContainsFunc(ops, func(op model.OpID) bool { return op != but })
}

// describe indexes the document's information about an operation, except its schemas.
func (x *Index) describe(op *model.Operation) *entry {
	e := &entry{method: strings.ToLower(op.Method), deprecated: op.Deprecated, secured: op.Secured}
	e.path, e.own, e.tags = x.add(op.Path), x.add(op.Path, string(op.ID), op.Name), x.add(op.Tags...)
	e.summary = x.text(newText(draw.Clean(op.Summary), true))
	e.description = x.text(described(op.Description))
	e.names = slices.Concat(e.own, e.tags, []int32{e.summary})
	for _, r := range op.Responses {
		e.declared = append(e.declared, r.Status)
	}
	return e
}

// described returns the text of a description without URLs, because all descriptions of a document may link
// to the same site. Other markup stays: it is slow to parse, and it hides no words. The text is folded, so
// that plain and low are the same string.
func described(description string) text {
	words := strings.Fields(description)
	for i, w := range words {
		if strings.Contains(w, "://") {
			words[i], _, _ = strings.Cut(w, "](") // keep the last word of a link's text
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool { return strings.Contains(w, "://") })
	return newText(fold(draw.Clean(strings.Join(words, " "))), true)
}

// add returns the indices of names in the texts. It adds new names.
func (x *Index) add(names ...string) []int32 {
	out := make([]int32, len(names))
	for i, n := range names {
		out[i] = x.name(n)
	}
	return out
}

// name returns the index of a name in the texts. It adds a new name.
func (x *Index) name(n string) int32 {
	i, known := x.indexes.name[n]
	if !known {
		i = x.text(newText(draw.Clean(n), false))
		x.indexes.name[n] = i
	}
	return i
}

// text returns the index of a text. It adds a new text.
func (x *Index) text(t text) int32 {
	i, known := x.indexes.text[t]
	if !known {
		i = int32(len(x.texts))
		x.indexes.text[t] = i
		x.texts = append(x.texts, t)
	}
	return i
}

// StatusesOf returns the statuses that an operation answered in a run. Without a run, it returns the declared
// statuses.
func (x *Index) StatusesOf(op model.OpID, run model.Snapshot) []string {
	if e := x.entry(op); run.Phase == "" && e != nil {
		return e.declared
	}
	var all []string
	for status := range run.Grid[op] {
		all = append(all, strconv.Itoa(status))
	}
	return all
}

// entry returns the entry of an operation, or nil if there is none. The index may be nil.
func (x *Index) entry(op model.OpID) *entry {
	if x == nil {
		return nil
	}
	return x.ops[op]
}

// anyValue reports whether isWanted returns true for a value of an operation.
func (x *Index) anyValue(e *entry, isWanted func(value) bool) bool {
	return slices.ContainsFunc(e.values, func(i int32) bool { return isWanted(x.values[i]) })
}
