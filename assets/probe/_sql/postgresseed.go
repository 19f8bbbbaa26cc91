package sql

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
)

// This file takes the seed of a database of PostgreSQL, and reads it. The seed is a file with quoted texts in lines, of which
// the first letter is:
//
//	o  the OIDs of all relations
//	t  a table: its name, its columns, the figures of its rows, and "" or why it is not cleaned
//	r  a row of the last table. PostgreSQL writes the row as a text, and reads it again, so that values of all types stay as
//	   they are.
//	s  a sequence: its name and its state
//
// All processes of the service use the same file.

const (
	sondeMaxPostgresRows = 10_000   // a table with more rows is not cleaned
	sondeMaxPostgresSize = 64 << 20 // of the rows of all tables, in bytes
)

// sondePostgresSeed has what the seed says, without the rows.
type sondePostgresSeed struct {
	path      string
	ids       map[string]bool // the OIDs of all relations, because a relation that is renamed is not new
	tables    map[string]*sondeTableSeed
	sequences map[string]string // their states
}

type sondeTableSeed struct {
	columns string
	figures string
	problem string // why the table is not cleaned, "" if it is
	at      int64  // where its rows begin in the file
}

// takePostgresSeed writes the seed. If another process of the service has done so meanwhile, its seed is kept.
func (s *sondeCleaner) takePostgresSeed(path string) error {
	own := sondeCleaning.dir + "/" + strconv.Itoa(os.Getpid()) + ".new"
	defer os.Remove(own)
	f, err := os.OpenFile(own, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = errors.Join(
		s.inTransaction("REPEATABLE READ READ ONLY", func() error { return s.writeSeed(w) }), w.Flush(), f.Close(),
	)
	if err == nil {
		err = os.Link(own, path)
	}
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

func (s *sondeCleaner) writeSeed(w *bufio.Writer) error {
	const relations = "SELECT pg_catalog.string_agg(oid::text, ' ') FROM pg_catalog.pg_class"
	err := s.read(relations, func(row []string) { sondeWriteLine(w, 'o', row[0]) })
	if err != nil {
		return err
	}
	tables, err := s.postgresTables()
	if err != nil {
		return err
	}
	left := sondeMaxPostgresSize
	for _, t := range tables {
		err = s.writeTable(w, t, &left)
		if err != nil {
			return err
		}
	}
	sequences, err := s.postgresSequences()
	if err == nil {
		err = s.readFigures(nil, sequences)
	}
	for _, q := range sequences {
		if q.problem == "" {
			sondeWriteLine(w, 's', q.name, q.state)
		} else {
			s.problem("sequence " + q.name + " is not cleaned: " + q.problem)
		}
	}
	return err
}

// writeTable writes the lines of a table. left is the size that rows may still have.
func (s *sondeCleaner) writeTable(w *bufio.Writer, t *sondePostgresTable, left *int) error {
	if t.problem == "" {
		_, err := s.atomically(func() (int64, error) { return 0, s.measure(t, left) })
		if sondePostgresIsLocked(err) {
			return err
		}
		if err != nil {
			t.problem = err.Error()
		}
	}
	sondeWriteLine(w, 't', t.name, t.columns, t.has, t.problem)
	if t.problem != "" {
		s.problem("table " + t.name + " is not cleaned: " + t.problem)
		return nil
	}
	return s.read("SELECT (m.*)::text FROM "+t.rows+" AS m", func(row []string) { sondeWriteLine(w, 'r', row[0]) })
}

// measure reads the figures of a table. It returns an error if the table is too large.
func (s *sondeCleaner) measure(t *sondePostgresTable, left *int) error {
	var rows, size int
	err := s.read("SELECT count(*), coalesce(sum(pg_catalog.octet_length(x.text)), 0) FROM (SELECT (m.*)::text FROM "+t.rows+
		" AS m LIMIT "+strconv.Itoa(sondeMaxPostgresRows+1)+") AS x (text)", func(row []string) {
		rows, _ = strconv.Atoi(row[0])
		size, _ = strconv.Atoi(row[1])
	})
	switch {
	case err != nil:
		return err
	case rows > sondeMaxPostgresRows:
		return errors.New("it has more than " + strconv.Itoa(sondeMaxPostgresRows) + " rows")
	case size > *left:
		return errors.New("the rows of all tables have more than " + strconv.Itoa(sondeMaxPostgresSize>>20) + " MB")
	}
	*left -= size
	return s.readFigures([]*sondePostgresTable{t}, nil)
}

func sondeWriteLine(w *bufio.Writer, kind byte, texts ...string) {
	line := []byte{kind}
	for _, text := range texts {
		line = strconv.AppendQuote(append(line, ' '), text)
	}
	_, _ = w.Write(append(line, '\n')) // Flush returns the error
}

// sondeReadSeed reads a seed.
func sondeReadSeed(path string) (*sondePostgresSeed, error) {
	seed := &sondePostgresSeed{
		path: path, ids: map[string]bool{}, tables: map[string]*sondeTableSeed{}, sequences: map[string]string{},
	}
	err := sondeReadLines(path, 0, func(line []byte, end int64) bool {
		switch line[0] {
		case 'o':
			for _, id := range strings.Fields(sondeTexts(line)[0]) {
				seed.ids[id] = true
			}
		case 't':
			t := sondeTexts(line)
			seed.tables[t[0]] = &sondeTableSeed{columns: t[1], figures: t[2], problem: t[3], at: end}
		case 's':
			t := sondeTexts(line)
			seed.sequences[t[0]] = t[1]
		}
		return true
	})
	return seed, err
}

// rows returns the rows of a table.
func (seed *sondePostgresSeed) rows(t *sondeTableSeed) (rows []string, err error) {
	err = sondeReadLines(seed.path, t.at, func(line []byte, _ int64) bool {
		if line[0] != 'r' {
			return false
		}
		rows = append(rows, sondeTexts(line)[0])
		return true
	})
	return rows, err
}

// sondeTexts returns the texts of a line.
func sondeTexts(line []byte) (texts []string) {
	for rest := line[2:]; len(rest) > 0; {
		var text string
		text, rest = sondeCut(rest)
		texts = append(texts, text)
	}
	return texts
}

// sondeReadLines calls visit with the lines of a file from an offset on, until visit returns false. Each line comes with the
// offset of the next one.
func sondeReadLines(path string, offset int64, visit func(line []byte, end int64) bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Seek(offset, io.SeekStart)
	if err != nil {
		return err
	}
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		offset += int64(len(line))
		if !visit(bytes.TrimSuffix(line, []byte("\n")), offset) {
			return nil
		}
	}
}
