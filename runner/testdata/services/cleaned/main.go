// Command cleaned executes the statements and queries that it gets, in the databases that its arguments name. The first one
// is the default.
package main

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"

	_ "modernc.org/sqlite"
)

//go:embed schema.sql
var schema string

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// server has the databases by their names. A database that a request is the first to name has no tables.
type server struct {
	first     string
	databases map[string]*sql.DB
	held      *sql.Conn // in a transaction that reads
}

func serve(names []string) error {
	s := &server{first: names[0], databases: map[string]*sql.DB{}}
	for _, name := range names {
		db, err := s.open(name)
		if err != nil {
			return err
		}
		if strings.HasPrefix(name, "read:") {
			continue
		}
		if _, err := db.Exec(schema); err != nil {
			return err
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "0"))
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	return http.Serve(l, s)
}

// open opens a database that is not open. Connections to files wait for no lock. If name begins with "read:", the service
// only reads by the connections.
func (s *server) open(name string) (*sql.DB, error) {
	if s.databases[name] != nil {
		return s.databases[name], nil
	}
	path, readOnly := strings.CutPrefix(name, "read:")
	options := "?_pragma=foreign_keys(1)"
	if readOnly {
		options = "?_pragma=query_only(1)"
	}
	db, err := sql.Open("sqlite", path+options)
	if err != nil {
		return nil, err
	}
	if name == ":memory:" {
		db.SetMaxOpenConns(1)
	}
	s.databases[name] = db
	return db, nil
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := s.answer(r)
	if err != nil {
		text = err.Error()
		w.WriteHeader(http.StatusConflict)
	}
	fmt.Fprint(w, text)
}

func (s *server) answer(r *http.Request) (string, error) {
	db, err := s.open(cmp.Or(r.FormValue("db"), s.first))
	if err != nil {
		return "", err
	}
	switch r.URL.Path {
	case "/hold":
		s.held, err = db.Conn(context.Background())
		if err != nil {
			return "", err
		}
		_, err = s.held.ExecContext(context.Background(), "BEGIN; SELECT * FROM authors")
		return "", err
	case "/release":
		_, err = s.held.ExecContext(context.Background(), "ROLLBACK")
		s.held.Close()
		return "", err
	}
	if r.Method == http.MethodGet {
		return rows(db, r.FormValue("q"))
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return "", err
	}
	_, err = db.Exec(string(body))
	return "", err
}

// rows returns the first column of the rows of a query, each with a blank.
func rows(db *sql.DB, query string) (all string, err error) {
	found, err := db.Query(query)
	if err != nil {
		return "", err
	}
	defer found.Close()
	for found.Next() {
		text := ""
		if err := found.Scan(&text); err != nil {
			return "", err
		}
		all += text + " "
	}
	return all, found.Err()
}
