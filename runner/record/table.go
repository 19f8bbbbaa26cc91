package record

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"sonde/model"
	"sonde/model/shape"
)

// Row is what was seen of an operation.
type Row struct {
	Op model.OpID `json:"op"` // "" of what is no operation of the spec
	// Seen is how often it was called.
	Seen int `json:"seen"`
	// Statuses are how often it answered what; 0 is no answer.
	Statuses map[int]int `json:"statuses,omitempty"`
	// Outward are the calls that it caused, by host, method and path, in which ids
	// are left out.
	Outward []Outward `json:"outward,omitempty"`
}

// Outward is a kind of call to the outside.
type Outward struct {
	Call string `json:"call"`
	Seen int    `json:"seen"`
	// How is how often its cause was known in which way.
	How map[model.Cause]int `json:"how"`
}

// table counts what passes.
type table struct {
	mu      sync.Mutex
	rows    map[model.OpID]*Row
	outward map[*Row]map[string]*Outward
	strays  map[string]*Outward
}

func newTable() *table {
	return &table{rows: map[model.OpID]*Row{}, outward: map[*Row]map[string]*Outward{}, strays: map[string]*Outward{}}
}

// mostKinds bounds the kinds of outward calls that are told apart.
const mostKinds = 1000

// row is the row of an operation. The mutex is held.
func (t *table) row(op model.OpID) *Row {
	r := t.rows[op]
	if r == nil {
		r = &Row{Op: op, Statuses: map[int]int{}}
		t.rows[op], t.outward[r] = r, map[string]*Outward{}
	}
	return r
}

// served counts a request, with what was sent for it so far, which it returns.
func (t *table) served(v *visit, x model.Exchange) (sent []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.row(x.Request.Op)
	r.Seen++
	r.Statuses[x.Reply.Status]++
	v.row = r
	for i, call := range v.open.calls {
		count(t.outward[r], call, v.open.how[i])
	}
	return v.open.sent
}

// sent counts an outward call, and reports whether it is kept already: until that is
// decided of the request for which it was sent, it is held back unless all are kept.
func (t *table) sent(v *visit, s model.Sent, all bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch call := shape.Called(s); {
	case v == nil:
		count(t.strays, call, "")
		return true
	case v.row != nil: // it came behind the answer
		count(t.outward[v.row], call, s.How)
	default:
		v.open.calls, v.open.sent, v.open.how = append(v.open.calls, call), append(v.open.sent, shape.Call(s)), append(v.open.how, s.How)
	}
	if !all && v.open != nil {
		v.open.held = append(v.open.held, s)
		return false
	}
	return all || v.keeps
}

// decide says whether a request is kept, and returns what was held back.
func (t *table) decide(v *visit, keep bool) []model.Sent {
	t.mu.Lock()
	defer t.mu.Unlock()
	held := v.open.held
	v.open, v.keeps = nil, keep
	return held
}

func count(all map[string]*Outward, call string, how model.Cause) {
	o := all[call]
	if o == nil {
		if len(all) >= mostKinds {
			return
		}
		o = &Outward{Call: call, How: map[model.Cause]int{}}
		all[call] = o
	}
	o.Seen++
	o.How[how]++
}

// Seen is what was seen: a row for each of the operations, in their order, and one for
// what is none of them; and the outward calls of which nobody knows the cause.
func (m *Monitor) Seen(ops []*model.Operation) (rows []Row, strays []Outward) {
	m.table.mu.Lock()
	defer m.table.mu.Unlock()
	for _, op := range ops {
		rows = append(rows, m.table.whole(m.table.row(op.ID)))
	}
	if other, ok := m.table.rows[""]; ok {
		rows = append(rows, m.table.whole(other))
	}
	return rows, listed(m.table.strays)
}

// whole is a copy of a row with its outward calls.
func (t *table) whole(r *Row) Row {
	w := *r
	w.Statuses = maps.Clone(r.Statuses)
	w.Outward = listed(t.outward[r])
	return w
}

func listed(all map[string]*Outward) (list []Outward) {
	for _, o := range all {
		c := *o
		c.How = maps.Clone(o.How)
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Outward) int {
		return cmp.Or(cmp.Compare(b.Seen, a.Seen), strings.Compare(a.Call, b.Call))
	})
	return list
}

// Count is how much passed so far.
func (m *Monitor) Count() (served, sent, strays int) {
	m.table.mu.Lock()
	defer m.table.mu.Unlock()
	for _, r := range m.table.rows {
		served += r.Seen
		for _, o := range m.table.outward[r] {
			sent += o.Seen
		}
	}
	for _, o := range m.table.strays {
		strays += o.Seen
	}
	return served, sent, strays
}
