package individual

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// rowSet has the rows that a test inserts into the service's database, in the order of their insertion.
type rowSet []*row

// row is a row whose values are genes.
type row struct {
	table *rowTable
	cells []gene.Gene // values in the order of the table's columns
}

// rowTable is a table with a prototype of the gene of each column.
type rowTable struct {
	model.Table
	protos []gene.Gene
}

func newRowTable(t model.Table, sizes model.Sizes) *rowTable {
	n := &rowTable{Table: t}
	for _, c := range t.Columns {
		n.protos = append(n.protos, columnGene(t, c, sizes))
	}
	return n
}

// indexOf returns the index of a column, or -1. A foreign key may name no column; for column "", indexOf returns the
// index of the first column of the primary key.
func (t *rowTable) indexOf(column string) int {
	return slices.IndexFunc(t.Columns, func(c model.TableColumn) bool {
		return strings.EqualFold(c.Name, column) || column == "" && c.Key
	})
}

// sample returns a row with random values.
func (t *rowTable) sample(r *rand.Rand) *row {
	n := &row{table: t}
	for _, p := range t.protos {
		g := p.Clone()
		g.Sample(r)
		n.cells = append(n.cells, g)
	}
	return n
}

func (n *row) clone() *row {
	c := &row{table: n.table, cells: make([]gene.Gene, len(n.cells))}
	for i, g := range n.cells {
		c.cells[i] = g.Clone()
	}
	return c
}

func (s rowSet) clone() rowSet {
	c := slices.Clone(s)
	for i, n := range c {
		c[i] = n.clone()
	}
	return c
}

// genes returns the genes of all values in the rows.
func (s rowSet) genes() (all []gene.Gene) {
	for _, n := range s {
		all = append(all, n.cells...)
	}
	return all
}

// places returns pointers to the genes of all values in the rows.
func (s rowSet) places() (all []*gene.Gene) {
	for _, n := range s {
		for i := range n.cells {
			all = append(all, &n.cells[i])
		}
	}
	return all
}

// rowCall is the call index of a leaf in a row.
const rowCall = -2

// leaves returns the scalars in the rows.
func (s rowSet) leaves() (all []leaf) {
	for _, n := range s {
		for i, g := range n.cells {
			all = appendLeaves(all, leaf{call: rowCall, name: n.table.Columns[i].Name, gene: g})
		}
	}
	return all
}

// parent returns the last row before row i to which the foreign key of a column refers, nil if there is none.
func (s rowSet) parent(i int, c model.TableColumn) *row {
	for _, n := range slices.Backward(s[:i]) {
		if c.RefTable != "" && strings.EqualFold(n.table.Name, c.RefTable) {
			return n
		}
	}
	return nil
}

// literal returns the rows with literal values. A foreign key has the value of its parent, if the parent is in the set and the
// key is not null.
func (s rowSet) literal() (all []model.Row) {
	for i, n := range s {
		literal := model.Row{Table: n.table.Name}
		for k, c := range n.table.Columns {
			value := gene.JSON(n.cells[k])
			if value == nil {
				continue
			}
			if p := s.parent(i, c); p != nil && string(value) != "null" {
				if to := p.table.indexOf(c.RefColumn); to >= 0 && gene.IsPresent(p.cells[to]) {
					value = gene.JSON(p.cells[to])
				}
			}
			literal.Cells = append(literal.Cells, model.Cell{Column: c.Name, Value: value, Key: c.Key, Identity: c.Identity})
		}
		all = append(all, literal)
	}
	return all
}

// set sets a column to a value as encoding/json decodes it. If the column is a foreign key, set also sets the column
// to which it refers in the parent row.
func (s rowSet) set(i int, column string, value any) {
	n := s[i]
	k := n.table.indexOf(column)
	if k < 0 {
		return
	}
	gene.AssignValue(n.cells[k], value)
	c := n.table.Columns[k]
	if p := s.parent(i, c); p != nil && value != nil {
		s.set(slices.Index(s, p), p.columnName(c.RefColumn), value)
	}
}

// columnName returns the name of the column to which a foreign key refers. referred is the name in the definition of
// the key, "" for the primary key.
func (n *row) columnName(referred string) string {
	if k := n.table.indexOf(referred); k >= 0 {
		return n.table.Columns[k].Name
	}
	return referred
}

// simplerRows yields copies of an individual that lack one row. It returns false once yield has returned false.
func simplerRows(ind *Individual, yield func(*Individual) bool) bool {
	for i := range slices.Backward(ind.rows) {
		c := ind.clone()
		c.rows = slices.Delete(c.rows, i, i+1)
		if !yield(c) {
			return false
		}
	}
	return true
}

// adoptRow returns a row with the values of a row of a test. The types of its columns are those of the values.
func adoptRow(from model.Row, sizes model.Sizes) *row {
	t := model.Table{Name: from.Table}
	var values []any
	for _, c := range from.Cells {
		v := decode(string(c.Value))
		kind := "TEXT"
		switch v.(type) {
		case json.Number:
			kind = "NUMERIC"
			if !strings.ContainsAny(string(c.Value), ".eE") {
				kind = "INTEGER"
			}
		case bool:
			kind = "BOOLEAN"
		}
		t.Columns = append(t.Columns, model.TableColumn{
			Name: c.Column, Type: kind, Key: c.Key, NotNull: v != nil, Identity: c.Identity,
		})
		values = append(values, v)
	}
	n := &row{table: newRowTable(t, sizes)}
	for i, p := range n.table.protos {
		g := p.Clone()
		gene.AssignValue(g, values[i])
		n.cells = append(n.cells, g)
	}
	return n
}
