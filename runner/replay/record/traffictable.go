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

// OperationRow counts the requests to one operation.
type OperationRow struct {
	Op model.OpID `json:"op"` // "" for requests to no operation of the spec
	// Seen is the number of requests.
	Seen int `json:"seen"`
	// Statuses counts the answers by status. 0 is for no answer.
	Statuses map[int]int `json:"statuses,omitempty"`
	// Outward counts the calls that the requests caused, by host, method and path without IDs.
	Outward []OutwardCount `json:"outward,omitempty"`
}

// OutwardCount counts the calls of one kind to one host.
type OutwardCount struct {
	Call string `json:"call"`
	Seen int    `json:"seen"`
	// How is the number of calls for each way in which Sonde found the request that caused them.
	How map[model.Attribution]int `json:"how"`
}

// trafficTable counts the requests to the service and its outward calls.
type trafficTable struct {
	mu           sync.Mutex
	rows         map[model.OpID]*OperationRow
	outward      map[*OperationRow]map[string]*OutwardCount
	unattributed map[string]*OutwardCount // calls without a known cause
}

func newTable() *trafficTable {
	return &trafficTable{
		rows:         map[model.OpID]*OperationRow{},
		outward:      map[*OperationRow]map[string]*OutwardCount{},
		unattributed: map[string]*OutwardCount{},
	}
}

// maxKinds is the maximum number of kinds of outward calls that are counted: for each operation, and for the calls
// without a known cause.
const maxKinds = 1000

// row returns the row of an operation. The caller holds t.mu.
func (t *trafficTable) row(op model.OpID) *OperationRow {
	r := t.rows[op]
	if r == nil {
		r = &OperationRow{Op: op, Statuses: map[int]int{}}
		t.rows[op], t.outward[r] = r, map[string]*OutwardCount{}
	}
	return r
}

// countServed counts an answered request and its outward calls so far. It returns the names of
// these calls with their results.
func (t *trafficTable) countServed(tracked *trackedRequest, x model.Exchange) (sent []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.row(x.Request.Op)
	r.Seen++
	r.Statuses[x.Reply.Status]++
	tracked.row = r
	for i, call := range tracked.pending.calls {
		count(t.outward[r], call, tracked.pending.attributions[i])
	}
	return tracked.pending.results
}

// countOutward counts an outward call, and reports whether the caller must write the call now. If all is false, the
// call of a request is held until decide has been called for the request.
func (t *trafficTable) countOutward(tracked *trackedRequest, s model.OutwardCall, all bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch call := shape.CallName(s); {
	case tracked == nil:
		count(t.unattributed, call, "")
		return true
	case tracked.row != nil: // the call came after the answer
		count(t.outward[tracked.row], call, s.Attribution)
	default:
		tracked.pending.calls = append(tracked.pending.calls, call)
		tracked.pending.results = append(tracked.pending.results, shape.NameWithResult(s))
		tracked.pending.attributions = append(tracked.pending.attributions, s.Attribution)
	}
	if !all && tracked.pending != nil {
		tracked.pending.held = append(tracked.pending.held, s)
		return false
	}
	return all || tracked.kept
}

// decide records whether a request is kept, and returns the calls that were held.
func (t *trafficTable) decide(tracked *trackedRequest, keep bool) []model.OutwardCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	held := tracked.pending.held
	tracked.pending, tracked.kept = nil, keep
	return held
}

// count counts a call of a kind. It ignores a new kind if there are maxKinds already.
func count(all map[string]*OutwardCount, call string, attribution model.Attribution) {
	o := all[call]
	if o == nil {
		if len(all) >= maxKinds {
			return
		}
		o = &OutwardCount{Call: call, How: map[model.Attribution]int{}}
		all[call] = o
	}
	o.Seen++
	o.How[attribution]++
}

// OperationRows returns a row for each operation in ops, and a last row for requests to no operation if there
// were any. strays are the outward calls without a known cause.
func (m *Monitor) OperationRows(ops []*model.Operation) (rows []OperationRow, strays []OutwardCount) {
	m.table.mu.Lock()
	defer m.table.mu.Unlock()
	for _, op := range ops {
		rows = append(rows, m.table.copyOf(m.table.row(op.ID)))
	}
	if other, ok := m.table.rows[""]; ok {
		rows = append(rows, m.table.copyOf(other))
	}
	return rows, sortedCounts(m.table.unattributed)
}

// copyOf returns a copy of a row, with its outward calls.
func (t *trafficTable) copyOf(r *OperationRow) OperationRow {
	w := *r
	w.Statuses = maps.Clone(r.Statuses)
	w.Outward = sortedCounts(t.outward[r])
	return w
}

// sortedCounts returns copies of the counts, the largest first.
func sortedCounts(all map[string]*OutwardCount) (list []OutwardCount) {
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

// CountTraffic returns the number of answered requests, of outward calls that these requests caused, and of outward
// calls without a known cause. It leaves out calls of the kinds beyond maxKinds.
func (m *Monitor) CountTraffic() (served, sent, strays int) {
	m.table.mu.Lock()
	defer m.table.mu.Unlock()
	for _, r := range m.table.rows {
		served += r.Seen
		for _, o := range m.table.outward[r] {
			sent += o.Seen
		}
	}
	for _, o := range m.table.unattributed {
		strays += o.Seen
	}
	return served, sent, strays
}
