package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// entry is an exchange of the list.
type entry struct {
	*model.ServedRequest
	op    model.OpID
	shape string
	first bool // the entry is the first one of its shape
	alike int  // number of exchanges with the same shape; set only if first is true
}

// group has the exchanges of an operation.
type group struct {
	op     model.OpID // "" for exchanges without an operation in the document
	all    []*entry
	shapes int
	open   bool
}

// store has the recorded exchanges by operation, and the picks.
type store struct {
	served []model.ServedRequest // the exchanges of the last call of take
	place  map[model.OpID]int    // key: operation; value: its position in the document, from 1; nil without a document
	groups []*group              // in the order of the document
	picked map[string]bool
	closed map[model.OpID]bool
}

func newStore() store { return store{picked: map[string]bool{}, closed: map[model.OpID]bool{}} }

// order sets the order of the operations.
func (s *store) order(analyzed *screen.AnalyzedSpec) {
	s.place = map[model.OpID]int{}
	for i, op := range analyzed.Spec.Operations {
		s.place[op.ID] = i + 1
	}
	s.arrange()
}

// take stores a newer state of a recording. It reports whether the exchanges have changed. The picks
// remain.
func (s *store) take(r model.Recording) bool {
	if len(r.Served) == len(s.served) && (len(r.Served) == 0 || &r.Served[0] == &s.served[0]) {
		return false
	}
	s.served = r.Served
	s.arrange()
	return true
}

// forget drops the picks and unfolds all operations, because another recording has other exchanges.
func (s *store) forget() { s.picked, s.closed = map[string]bool{}, map[model.OpID]bool{} }

// arrange groups the exchanges by operation. In each group, it marks the first exchange of each shape and
// counts the exchanges with this shape.
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

// known returns op if the document has the operation, or if there is no document. Otherwise it returns "".
func (s *store) known(op model.OpID) model.OpID {
	if s.place != nil && s.place[op] == 0 {
		return ""
	}
	return op
}

// rank returns the position of an operation in the list. "" comes last.
func (s *store) rank(op model.OpID) int {
	if op == "" {
		return len(s.place) + 1
	}
	return s.place[op]
}

// shape returns a text that is equal for two exchanges if both have the same status and the same outward calls, in
// any order. Such exchanges differ only in values.
func shape(s *model.ServedRequest) string {
	var sent []string
	for i := range s.OutwardCalls {
		sent = append(sent, callShape(&s.OutwardCalls[i])+" "+callOutcome(&s.OutwardCalls[i]))
	}
	slices.Sort(sent)
	return strconv.Itoa(s.Reply.Status) + "\n" + strings.Join(sent, "\n")
}

// callShape describes an outward call without its values. The description has:
//   - for HTTP, the host, the method and the path
//   - for databases, the protocol, the host and the command
//   - for other protocols, the protocol and the host
func callShape(s *model.OutwardCall) string {
	switch {
	case s.Protocol.IsDatabase() && len(s.Messages) > 0:
		return string(s.Protocol) + " " + s.Host + " " + model.DatabaseCommand(s.Messages[0].Request)
	case s.Protocol != model.HTTP:
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

// callOutcome returns "failed" for an outward call with an error. Otherwise it returns the status for HTTP,
// and "" for other protocols.
func callOutcome(s *model.OutwardCall) string {
	switch {
	case s.Err != nil:
		return "failed"
	case s.Protocol == model.HTTP:
		return strconv.Itoa(s.Reply.Status)
	}
	return ""
}

// picks returns the IDs of the picked exchanges, in the order of the list.
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
