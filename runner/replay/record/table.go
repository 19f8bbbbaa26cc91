package record

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// OperationRow counts the requests of an operation.
type OperationRow struct {
	Op model.OpID `json:"op"` // "" for requests to no operation of the spec
	// Seen is the number of requests.
	Seen int `json:"seen"`
	// Statuses counts the answers by status; 0 is no answer.
	Statuses map[int]int `json:"statuses,omitempty"`
	// OutwardCount are the calls that the requests caused, by host, method and path without ids.
	Outward []OutwardCount `json:"outward,omitempty"`
}

// OutwardCount counts calls of one kind to a host.
type OutwardCount struct {
	Call string `json:"call"`
	Seen int    `json:"seen"`
	// How counts how the causes were found.
	How map[model.Attribution]int `json:"how"`
}

// table counts the traffic.
type table struct {
	mu      sync.Mutex
	rows    map[model.OpID]*OperationRow
	outward map[*OperationRow]map[string]*OutwardCount
	strays  map[string]*OutwardCount
}

func newTable() *table {
	return &table{
		rows:    map[model.OpID]*OperationRow{},
		outward: map[*OperationRow]map[string]*OutwardCount{},
		strays:  map[string]*OutwardCount{},
	}
}

// maxKinds bounds the kinds of outward calls.
const maxKinds = 1000

// row returns the row of an operation. The mutex is held.
func (t *table) row(op model.OpID) *OperationRow {
	r := t.rows[op]
	if r == nil {
		r = &OperationRow{Op: op, Statuses: map[int]int{}}
		t.rows[op], t.outward[r] = r, map[string]*OutwardCount{}
	}
	return r
}

// served counts a request and the calls for it so far, which it returns.
func (t *table) served(v *trackedRequest, x model.Exchange) (sent []string) {
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

// sent counts an outward call, and reports whether to keep it now. It is held back until its
// request is known to be kept, unless all are.
func (t *table) sent(v *trackedRequest, s model.OutwardCall, all bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch call := shape.CallName(s); {
	case v == nil:
		count(t.strays, call, "")
		return true
	case v.row != nil: // it came after the answer
		count(t.outward[v.row], call, s.Attribution)
	default:
		v.open.calls = append(v.open.calls, call)
		v.open.sent = append(v.open.sent, shape.NameWithResult(s))
		v.open.how = append(v.open.how, s.Attribution)
	}
	if !all && v.open != nil {
		v.open.held = append(v.open.held, s)
		return false
	}
	return all || v.keeps
}

// decide records whether a request is kept, and returns the calls that were held back.
func (t *table) decide(v *trackedRequest, keep bool) []model.OutwardCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	held := v.open.held
	v.open, v.keeps = nil, keep
	return held
}

func count(all map[string]*OutwardCount, call string, how model.Attribution) {
	o := all[call]
	if o == nil {
		if len(all) >= maxKinds {
			return
		}
		o = &OutwardCount{Call: call, How: map[model.Attribution]int{}}
		all[call] = o
	}
	o.Seen++
	o.How[how]++
}

// OperationRows returns a row for each of the operations, in their order, and one for requests to no
// operation; and the outward calls without a known cause.
func (m *Monitor) OperationRows(ops []*model.Operation) (rows []OperationRow, strays []OutwardCount) {
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

// whole returns a copy of a row with its outward calls.
func (t *table) whole(r *OperationRow) OperationRow {
	w := *r
	w.Statuses = maps.Clone(r.Statuses)
	w.Outward = listed(t.outward[r])
	return w
}

func listed(all map[string]*OutwardCount) (list []OutwardCount) {
	for _, o := range all {
		c := *o
		c.How = maps.Clone(o.How)
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b OutwardCount) int {
		return cmp.Or(cmp.Compare(b.Seen, a.Seen), strings.Compare(a.Call, b.Call))
	})
	return list
}

// CountTraffic returns how many requests and calls passed so far, and how many calls without a known
// cause.
func (m *Monitor) CountTraffic() (served, sent, strays int) {
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
