package individual

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/search/gene"
)

const (
	// maxRows is the maximum number of rows of a test.
	maxRows = 12
	// maxQueries is the maximum number of queries without rows that are remembered for an operation.
	maxQueries = 20
	// maxRowDepth is the maximum length of a chain of rows in which each row refers to the next by a foreign key.
	maxRowDepth = 4
	// rowMutationChance is the probability that a mutation of a test with rows changes only its rows.
	rowMutationChance = 0.4
	// optionalParentChance is the probability that a foreign key that may be null gets a row to which it refers.
	optionalParentChance = 0.5
)

// RowMaker adds rows to tests. It learns from queries that returned no rows.
type RowMaker struct {
	sampling *model.Sampling
	sizes    model.Sizes
	tables   map[string]*rowTable // table name in lower case → table
	queries  map[model.OpID][]*RowQuery
}

// RowQuery is a query of an operation that has returned no rows.
type RowQuery struct {
	op    model.OpID
	query model.EmptyQuery
	names []string // by fact: the name of the input with the same value, "" if there is none
	isNew bool
}

// Call returns the index of the call during which the query was made.
func (q *RowQuery) Call() int { return q.query.Call }

// IsNew reports whether the operation had not made the query before.
func (q *RowQuery) IsNew() bool { return q.isNew }

// Key returns a text that is the same for the same query of the same operation.
func (q *RowQuery) Key() string { return string(q.op) + "\n" + q.query.Text }

func newRowMaker(s *model.Sampling, sizes model.Sizes) *RowMaker {
	return &RowMaker{sampling: s, sizes: sizes, tables: map[string]*rowTable{}, queries: map[model.OpID][]*RowQuery{}}
}

// Observe records the given tables, and the queries of a test that returned no rows. It returns the queries for which
// rows can be inserted.
func (m *RowMaker) Observe(ind *Individual, queries []model.EmptyQuery, tables []model.Table) []*RowQuery {
	for _, t := range tables {
		if name := strings.ToLower(t.Name); m.tables[name] == nil {
			m.tables[name] = newRowTable(t, m.sizes)
		}
	}
	var all []*RowQuery
	for _, q := range queries {
		known := func(table string) bool { return m.tables[strings.ToLower(table)] != nil }
		if q.Call < len(ind.calls) && slices.ContainsFunc(q.Tables, known) {
			all = append(all, m.record(ind, q))
		}
	}
	return all
}

// record records a query. It replaces an earlier record of the same query.
func (m *RowMaker) record(ind *Individual, q model.EmptyQuery) *RowQuery {
	w := &RowQuery{op: ind.calls[q.Call].op.ID, query: q}
	for _, f := range q.Facts {
		w.names = append(w.names, inputWith(ind, q.Call, f.Value))
	}
	list := m.queries[w.op]
	if i := slices.IndexFunc(list, func(old *RowQuery) bool { return old.query.Text == q.Text }); i >= 0 {
		list[i] = w
		return w
	}
	w.isNew = true
	m.queries[w.op] = append(list[max(0, len(list)+1-maxQueries):], w)
	return w
}

// inputWith returns the name of the input that has the given value in a call of a test, "" if there is none.
func inputWith(ind *Individual, call int, value json.RawMessage) string {
	text := plainText(value)
	if text == "" {
		return ""
	}
	for _, l := range ind.leaves() {
		if l.call == call && gene.Text(l.gene) == text {
			return l.name
		}
	}
	return ""
}

// plainText returns a value in JSON as a text without quotes, "" for null.
func plainText(value json.RawMessage) string {
	switch v := decode(string(value)).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// With returns a copy of a test with rows that a query should find, nil if there is no room for them.
func (m *RowMaker) With(r *rand.Rand, ind *Individual, q *RowQuery) *Individual {
	c := ind.clone()
	if !m.add(r, c, q) {
		return nil
	}
	c.change = changedRows
	return c
}

// add adds rows that a query should find: one for each table, and those to which their foreign keys refer. It returns
// false if it adds none.
func (m *RowMaker) add(r *rand.Rand, ind *Individual, q *RowQuery) bool {
	if len(ind.rows)+len(q.query.Tables) > maxRows {
		return false
	}
	before := len(ind.rows)
	for _, table := range q.query.Tables {
		m.addRow(r, ind, table, before, 0)
	}
	for i, f := range q.query.Facts {
		if f.OtherTable == "" {
			m.fulfil(r, ind, before, f, q.value(ind, i))
		}
	}
	for _, f := range q.query.Facts {
		if f.OtherTable != "" {
			ind.rows.join(before, f)
		}
	}
	return len(ind.rows) > before
}

// value returns the value that a row must be compared with to fulfil a fact of the query. fact is the index of the fact,
// which is a comparison in the query. If the observed query had the value of an input here, value returns the value that
// this input has in the test. Otherwise it returns the value in the fact.
func (q *RowQuery) value(ind *Individual, fact int) any {
	for i, c := range ind.calls {
		if c.op.ID != q.op || q.names[fact] == "" {
			continue
		}
		for _, l := range ind.leaves() {
			if l.call == i && l.name == q.names[fact] {
				return gene.Text(l.gene)
			}
		}
	}
	return decode(string(q.query.Facts[fact].Value))
}

// addRow adds a row of a table, after the rows to which its foreign keys refer. It adds no row if the table is not
// known or has no primary key, if the chain of rows or the test would be too long, or if the table already has a new
// row; the new rows are those with an index of at least before.
func (m *RowMaker) addRow(r *rand.Rand, ind *Individual, table string, before, depth int) {
	t := m.tables[strings.ToLower(table)]
	if t == nil || !t.hasKey() || ind.rows.indexFrom(before, table) >= 0 || depth > maxRowDepth {
		return
	}
	n := t.sample(r)
	for i, c := range t.Columns {
		if c.RefTable == "" || strings.EqualFold(c.RefTable, table) {
			continue
		}
		if c.NotNull || c.Key || r.Float64() < optionalParentChance {
			m.addRow(r, ind, c.RefTable, before, depth+1)
		}
		if ind.rows.indexFrom(0, c.RefTable) < 0 {
			gene.AssignValue(n.cells[i], nil)
		}
	}
	if len(ind.rows) < maxRows {
		ind.rows = append(ind.rows, n)
	}
}

// hasKey reports whether the table has a primary key, by which its rows can be deleted again.
func (t *rowTable) hasKey() bool {
	return slices.ContainsFunc(t.Columns, func(c model.TableColumn) bool { return c.Key })
}

// indexFrom returns the index of the first row of a table from an index on, or -1.
func (s rowSet) indexFrom(from int, table string) int {
	for i := from; i < len(s); i++ {
		if strings.EqualFold(s[i].table.Name, table) {
			return i
		}
	}
	return -1
}

// fulfil changes a row so that a query finds it: it gives the column of a fact a value with which the fact holds.
func (m *RowMaker) fulfil(r *rand.Rand, ind *Individual, before int, f model.RowFact, value any) {
	i := ind.rows.indexFrom(before, f.Table)
	if i < 0 {
		return
	}
	k := ind.rows[i].table.indexOf(f.Column)
	switch {
	case k < 0:
	case f.Op == model.Unequal:
		for range maxTries {
			if now := string(gene.JSON(ind.rows[i].cells[k])); now != "" && now != string(f.Value) {
				return
			}
			ind.rows[i].cells[k].Sample(r)
		}
	case f.Op == model.Less:
		ind.rows.set(i, f.Column, neighbour(value, -1))
	case f.Op == model.Greater:
		ind.rows.set(i, f.Column, neighbour(value, 1))
	default:
		ind.rows.set(i, f.Column, value)
	}
}

// neighbour returns a number, a time or a text near a value: less if by is -1, greater if by is 1. A time moves by a
// day.
func neighbour(value any, by int64) any {
	text := ""
	switch v := value.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return json.Number(strconv.FormatInt(n+by, 10))
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return json.Number(strconv.FormatFloat(f+float64(by), 'f', -1, 64))
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.AddDate(0, 0, int(by)).Format(layout)
		}
	}
	if by > 0 {
		return text + "a"
	}
	return text[:max(0, len(text)-1)]
}

// join makes two columns equal that a fact compares: it copies the value of f.OtherColumn into f.Column. It does nothing
// if one column is a foreign key that refers to the row of the other, because such a key always gets the value of its
// parent.
func (s rowSet) join(before int, f model.RowFact) {
	i, j := s.indexFrom(before, f.Table), s.indexFrom(before, f.OtherTable)
	if i < 0 || j < 0 {
		return
	}
	k, l := s[i].table.indexOf(f.Column), s[j].table.indexOf(f.OtherColumn)
	if k < 0 || l < 0 {
		return
	}
	if s.parent(i, s[i].table.Columns[k]) == s[j] || s.parent(j, s[j].table.Columns[l]) == s[i] {
		return
	}
	gene.AssignValue(s[i].cells[k], decode(string(gene.JSON(s[j].cells[l]))))
}

// sample sometimes adds rows to a new test, for one of the queries of its operations that have returned no rows.
func (m *RowMaker) sample(r *rand.Rand, ind *Individual) *Individual {
	if q := m.draw(r, ind); q != nil && r.Float64() < m.sampling.Rows {
		m.add(r, ind, q)
	}
	return ind
}

// draw returns a random query of one of the operations of a test. If there is none, it returns nil and uses no random
// number.
func (m *RowMaker) draw(r *rand.Rand, ind *Individual) *RowQuery {
	var all []*RowQuery
	for _, c := range ind.calls {
		all = append(all, m.queries[c.op.ID]...)
	}
	if len(all) == 0 {
		return nil
	}
	return all[r.IntN(len(all))]
}

// MutateRows decides by chance whether to change the rows of a test, and returns a copy of the individual with other rows. It
// returns nil if no row changes.
func (p *Problem) MutateRows(r *rand.Rand, ind *Individual, at float64, hints []Hint) *Individual {
	chance := rowMutationChance
	if len(ind.rows) == 0 {
		chance = p.sampling.Rows
	}
	q := p.Rows.draw(r, ind)
	if q == nil && len(ind.rows) == 0 || r.Float64() >= chance {
		return nil
	}
	c := p.copyToMutate(r, ind)
	if !p.Rows.mutate(p, r, c, q, at, hints) {
		return nil
	}
	c.change = changedRows
	return c
}

// The probabilities of the changes of rows, besides changing a value.
const (
	extendRowsChance = 0.2 // probability of adding rows that a query finds, or a row like another one
	removeRowChance  = 0.15
)

// mutate changes the rows of a test. It reports whether it did.
func (m *RowMaker) mutate(p *Problem, r *rand.Rand, ind *Individual, q *RowQuery, at float64, hints []Hint) bool {
	x := r.Float64()
	switch {
	case len(ind.rows) == 0:
		return m.add(r, ind, q)
	case x < extendRowsChance:
		if q != nil && r.IntN(2) == 0 {
			return m.add(r, ind, q)
		}
		return m.addTwin(r, ind)
	case x < extendRowsChance+removeRowChance:
		i := r.IntN(len(ind.rows))
		ind.rows = slices.Delete(ind.rows, i, i+1)
		return true
	}
	return hintsDue(r, hints, p.sampling.Operands) && applyHint(r, ind, hints) ||
		r.Float64() < p.sampling.Echo && m.relate(r, ind) ||
		p.constants.due(r, p.sampling.Constants) && p.constants.assign(r, ind.rows.leaves()) ||
		gene.Mutate(r, ind.rows.genes(), gene.NewPace(at, p.sizes))
}

// addTwin adds a copy of one of a test's rows, with another primary key. It returns false if the test has maxRows rows
// already.
func (m *RowMaker) addTwin(r *rand.Rand, ind *Individual) bool {
	if len(ind.rows) >= maxRows {
		return false
	}
	twin := ind.rows[r.IntN(len(ind.rows))].clone()
	for i, c := range twin.table.Columns {
		if c.Key {
			twin.cells[i].Sample(r)
		}
	}
	ind.rows = append(ind.rows, twin)
	return true
}

// relate copies a value of a call or a row into a row, or a value of a row into a call. It reports whether it did.
func (m *RowMaker) relate(r *rand.Rand, ind *Individual) bool {
	rows := ind.rows.leaves()
	if all := ind.leaves(); r.IntN(2) == 0 {
		return copyOne(r, rows, all)
	}
	return copyOne(r, ind.callLeaves(), rows)
}
