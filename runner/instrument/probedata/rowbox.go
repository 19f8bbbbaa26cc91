package probedata

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sonde/assets/probe/sondeprobe"
	"sonde/model"
)

// RowsVariable is the environment variable with the path of the folder of a RowBox.
const RowsVariable = "SONDE_ROWS"

// RowBox exchanges files with a service whose queries have probes and whose database is SQLite or PostgreSQL: rows that
// are to be inserted, and the queries that returned no rows. It must be used by one goroutine at a time.
//
// The folder has these files:
//
//	waiting     statements that the service executes before it uses a connection to the database; it renames
//	            the file to taken
//	done        the outcome of each of these statements
//	database    the path or name of the database in which statements were executed; all later ones must be for the same
//	empty       reports of queries without rows, to which the service appends
//	table-NAME  the description of a table, whose name is in hex
type RowBox struct {
	dir      string
	rows     []model.Row   // rows of the current test
	deleting []model.Row   // rows of earlier tests that the waiting statements delete
	inserted []model.Row   // rows that are still to be deleted
	marks    []int64       // the size of the reports after each call
	tables   []model.Table // descriptions by name; Columns is nil for a table that cannot be described
}

// NewRowBox creates the folder, in memory if possible.
func NewRowBox() (*RowBox, error) {
	dir, err := sharedFolder("sonde-rows-*")
	if err != nil {
		return nil, fmt.Errorf("cannot create the folder for rows: %w", err)
	}
	return &RowBox{dir: dir}, nil
}

// EnvVariable returns the variable that the service's environment needs, as NAME=VALUE.
func (b *RowBox) EnvVariable() string { return RowsVariable + "=" + b.dir }

// Close removes the folder.
func (b *RowBox) Close() error { return os.RemoveAll(b.dir) }

func (b *RowBox) path(name string) string { return filepath.Join(b.dir, name) }

// remove removes a file, which need not exist.
func (b *RowBox) remove(name string) error {
	if err := os.Remove(b.path(name)); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// Begin begins a test. Before the service next uses its database, it deletes the rows of earlier tests and inserts
// the given rows. Begin leaves out rows without a primary key: a statement that deletes such a row could delete equal
// rows, too. Begin forgets the reports so far.
func (b *RowBox) Begin(rows []model.Row) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r model.Row) bool { return r.DeleteStatement() == "" })
	b.rows, b.deleting, b.marks = rows, slices.Clone(b.inserted), nil
	for _, name := range []string{"waiting", "done", "empty"} {
		if err := b.remove(name); err != nil {
			return err
		}
	}
	var lines []byte
	add := func(table, statement string) {
		lines = append(strconv.AppendQuote(append(strconv.AppendQuote(lines, table), ' '), statement), '\n')
	}
	for _, r := range slices.Backward(b.deleting) { // so that rows are deleted before the rows to which they refer
		add(r.Table, r.DeleteStatement())
	}
	for _, r := range rows {
		add(r.Table, r.InsertStatement())
	}
	if len(lines) == 0 {
		return nil
	}
	if err := os.WriteFile(b.path("new"), lines, 0o600); err != nil {
		return err
	}
	return os.Rename(b.path("new"), b.path("waiting"))
}

// EndCall notes that a call of the test has ended. The queries that the service has reported since the previous
// EndCall belong to this call.
func (b *RowBox) EndCall(call int) {
	size := int64(0)
	if s, err := os.Stat(b.path("empty")); err == nil {
		size = s.Size()
	}
	for len(b.marks) <= call {
		b.marks = append(b.marks, size)
	}
}

// End returns the rows that the service has inserted since Begin, and the queries that returned no rows.
func (b *RowBox) End() (inserted []model.Row, empty []model.EmptyQuery, err error) {
	if err := b.remove("waiting"); err != nil {
		return nil, nil, err
	}
	outcomes, err := b.lines("done")
	if err != nil {
		return nil, nil, err
	}
	if outcomes != nil {
		succeeded := func(at int) bool { return at < len(outcomes) && outcomes[at] == `""` }
		b.inserted = nil
		for i, r := range b.deleting {
			if !succeeded(len(b.deleting) - 1 - i) {
				b.inserted = append(b.inserted, r) // to be tried again, such as after the end of a lock
			}
		}
		for i, r := range b.rows {
			if succeeded(len(b.deleting) + i) {
				inserted = append(inserted, r)
			}
		}
		b.inserted = append(b.inserted, inserted...)
	}
	empty, err = b.reports()
	return inserted, empty, err
}

// lines returns the lines of a file, nil if it does not exist.
func (b *RowBox) lines(name string) ([]string, error) {
	text, err := os.ReadFile(b.path(name))
	if err != nil || len(text) == 0 {
		if os.IsNotExist(err) {
			err = nil
		}
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}

// reports reads the reports of queries without rows. It skips lines that it does not understand.
func (b *RowBox) reports() (all []model.EmptyQuery, err error) {
	text, err := os.ReadFile(b.path("empty"))
	if err != nil {
		if os.IsNotExist(err) {
			err = nil
		}
		return nil, err
	}
	at := int64(0)
	for line := range bytes.Lines(text) {
		fields := fieldsOf(string(line))
		if len(fields) < 2 {
			at += int64(len(line))
			continue
		}
		switch last := len(all) - 1; {
		case fields[0] == "q":
			all = append(all, model.EmptyQuery{Text: unquoted(fields[1]), Call: b.callAt(at)})
		case last < 0:
		case fields[0] == "t":
			all[last].Tables = append(all[last].Tables, unquoted(fields[1]))
		case fields[0] == "f" && len(fields) == 7:
			if f, ok := rowFact(fields); ok {
				all[last].Facts = append(all[last].Facts, f)
			}
		}
		at += int64(len(line))
	}
	return all, nil
}

// callAt returns the index of the call during which the service wrote the byte at an offset of the reports.
func (b *RowBox) callAt(offset int64) int {
	i := slices.IndexFunc(b.marks, func(size int64) bool { return offset < size })
	if i < 0 {
		return max(0, len(b.marks)-1)
	}
	return i
}

func rowFact(fields []string) (f model.RowFact, ok bool) {
	op, _ := strconv.ParseUint(fields[5], 10, 8) // there is no relation for the 0 after an error
	f = model.RowFact{
		Table: unquoted(fields[1]), Column: unquoted(fields[2]), OtherTable: unquoted(fields[3]), OtherColumn: unquoted(fields[4]),
		Op: relations[uint8(op)], Value: json.RawMessage(fields[6]),
	}
	if strings.HasPrefix(fields[6], `"`) {
		text, err := json.Marshal(unquoted(fields[6]))
		if err != nil {
			return f, false
		}
		f.Value = text
	}
	return f, f.Op != "" && op < sondeprobe.Call && json.Valid(f.Value)
}

// fieldsOf splits a line at blanks, except those in quoted texts.
func fieldsOf(line string) (all []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " ") {
		field, err := strconv.QuotedPrefix(line)
		if err != nil {
			field, _, _ = strings.Cut(line, " ")
		}
		all, line = append(all, field), line[len(field):]
	}
	return all
}

// unquoted returns a quoted text without quotes, "" if it is invalid.
func unquoted(s string) string {
	text, _ := strconv.Unquote(s) // the text is "" after an error
	return text
}

// Table returns the description of a table. The service writes the description when a query of the table returns no
// rows. Table returns false if there is no description.
func (b *RowBox) Table(name string) (model.Table, bool) {
	for _, t := range b.tables {
		if strings.EqualFold(t.Name, name) {
			return t, t.Columns != nil
		}
	}
	t, err := b.readTable(name)
	if err != nil {
		return t, false
	}
	b.tables = append(b.tables, t)
	return t, t.Columns != nil
}

// maxTableName is the maximum number of bytes of a table's name in the name of its file. The rest of a longer name is
// left out.
const maxTableName = 100

// findTable returns the path of the file with the description of a table, whatever the case of the table's name.
func (b *RowBox) findTable(name string) (string, error) {
	files, err := os.ReadDir(b.dir)
	if err != nil {
		return "", err
	}
	for _, f := range files {
		code, isTable := strings.CutPrefix(f.Name(), "table-")
		text, err := hex.DecodeString(code)
		if isTable && err == nil && strings.EqualFold(string(text), name[:min(len(name), maxTableName)]) {
			return b.path(f.Name()), nil
		}
	}
	return "", os.ErrNotExist
}

func (b *RowBox) readTable(name string) (model.Table, error) {
	t := model.Table{Name: name}
	path, err := b.findTable(name)
	if err != nil {
		return t, err
	}
	f, err := os.Open(path)
	if err != nil {
		return t, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Buffer(nil, 1<<20); in.Scan(); {
		switch fields := fieldsOf(in.Text()); {
		case len(fields) == 2 && fields[0] == "s":
			t.Definition = unquoted(fields[1])
		case len(fields) == 7 && fields[0] == "c":
			t.Columns = append(t.Columns, model.TableColumn{
				Name: unquoted(fields[1]), Type: unquoted(fields[2]),
				NotNull: fields[3] == "1", HasDefault: fields[4] == "1", Key: fields[5] == "1", Identity: fields[6] == "1",
			})
		case len(fields) == 4 && fields[0] == "k":
			refer(&t, unquoted(fields[1]), unquoted(fields[2]), unquoted(fields[3]))
		}
	}
	return t, in.Err()
}

// refer makes a column of t a foreign key. It refers to a column of another table.
func refer(t *model.Table, column, table, to string) {
	for i := range t.Columns {
		if c := &t.Columns[i]; strings.EqualFold(c.Name, column) {
			c.RefTable, c.RefColumn = table, to
		}
	}
}

// Tables returns the descriptions of the tables of queries, and of the tables to which their foreign keys refer.
func (b *RowBox) Tables(queries []model.EmptyQuery) (all []model.Table) {
	var names []string
	for _, q := range queries {
		names = append(names, q.Tables...)
	}
	for i := 0; i < len(names); i++ {
		isKnown := func(t model.Table) bool { return strings.EqualFold(t.Name, names[i]) }
		t, ok := b.Table(names[i])
		if !ok || slices.ContainsFunc(all, isKnown) {
			continue
		}
		all = append(all, t)
		for _, c := range t.Columns {
			if c.RefTable != "" {
				names = append(names, c.RefTable)
			}
		}
	}
	return all
}
