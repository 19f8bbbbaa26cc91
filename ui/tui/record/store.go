package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// entry is an exchange in the list.
type entry struct {
	*model.ServedRequest
	op    model.OpID
	shape string
	first bool // of its shape
	alike int  // exchanges of the shape, of the first
}

// group is the exchanges of an operation.
type group struct {
	op     model.OpID // "" for what is in no document
	all    []*entry
	shapes int
	open   bool
}

// store is what was recorded, by operation, and what of it is picked.
type store struct {
	served []model.ServedRequest // as they were last taken
	place  map[model.OpID]int
	groups []*group // in the order of the document
	picked map[string]bool
	closed map[model.OpID]bool
}

func newStore() store { return store{picked: map[string]bool{}, closed: map[model.OpID]bool{}} }

// order takes the order of operations from a document.
func (s *store) order(study *screen.AnalyzedSpec) {
	s.place = map[model.OpID]int{}
	for i, op := range study.Spec.Operations {
		s.place[op.ID] = i + 1
	}
	s.arrange()
}

// take takes a newer state of a recording, and reports whether there is anything new.
// What is picked stays, as far as it is there.
func (s *store) take(r model.Recording) bool {
	if len(r.Served) == len(s.served) && (len(r.Served) == 0 || &r.Served[0] == &s.served[0]) {
		return false
	}
	s.served = r.Served
	s.arrange()
	return true
}

// forget drops what was picked, because another recording has other exchanges.
func (s *store) forget() { s.picked, s.closed = map[string]bool{}, map[model.OpID]bool{} }

// arrange groups the exchanges by operation, and those of a group by shape.
func (s *store) arrange() {
	by := map[model.OpID]*group{}
	first := map[string]*entry{}
	s.groups = nil
	for i := range s.served {
		e := &entry{ServedRequest: &s.served[i], op: s.known(s.served[i].Request.Op)}
		g := by[e.op]
		if g == nil {
			g = &group{op: e.op, open: !s.closed[e.op]}
			by[e.op], s.groups = g, append(s.groups, g)
		}
		e.shape = shape(e.ServedRequest)
		key := string(e.op) + "\n" + e.shape
		if first[key] == nil {
			first[key], e.first = e, true
			g.shapes++
		}
		first[key].alike++
		g.all = append(g.all, e)
	}
	slices.SortStableFunc(s.groups, func(a, b *group) int { return cmp.Compare(s.rank(a.op), s.rank(b.op)) })
}

// known is an operation that the document has, else "".
func (s *store) known(op model.OpID) model.OpID {
	if s.place != nil && s.place[op] == 0 {
		return ""
	}
	return op
}

// rank is an operation's place in the list; what no document has comes last.
func (s *store) rank(op model.OpID) int {
	if op == "" {
		return len(s.place) + 1
	}
	return s.place[op]
}

// shape is what tells exchanges of an operation apart besides their values: the status,
// and what the service sent for it, whatever overlapped in whatever order.
func shape(s *model.ServedRequest) string {
	var sent []string
	for i := range s.OutwardCalls {
		sent = append(sent, operation(&s.OutwardCalls[i])+" "+came(&s.OutwardCalls[i]))
	}
	slices.Sort(sent)
	return strconv.Itoa(s.Reply.Status) + "\n" + strings.Join(sent, "\n")
}

// operation is what was asked of whom, without values.
func operation(s *model.OutwardCall) string {
	if s.Protocol != model.HTTP {
		return string(s.Protocol) + " " + s.Host
	}
	path, _, _ := strings.Cut(s.Request.URL, "?")
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if strings.ContainsAny(segment, "0123456789") {
			segments[i] = "{}"
		}
	}
	return s.Host + " " + s.Request.Method + " " + strings.Join(segments, "/")
}

// came is what came of it, in a word.
func came(s *model.OutwardCall) string {
	switch {
	case s.Err != nil:
		return "failed"
	case s.Protocol == model.HTTP:
		return strconv.Itoa(s.Reply.Status)
	}
	return ""
}

// picks are the IDs of what is picked, in the order of the list.
func (s *store) picks() []string {
	var ids []string
	for _, g := range s.groups {
		for _, e := range g.all {
			if s.picked[e.ID] {
				ids = append(ids, e.ID)
			}
		}
	}
	return ids
}
