// Command sqlite is a service for studies whose data is in SQLite: much of what it
// does it does only for who asks for what is in its tables, and no answer shows
// them. For whoever counts, it prints the first time that a query had rows.
package main

import (
	"database/sql"
	_ "embed"
	"flag"
	"fmt"
	"net/http"
	"os"

	_ "modernc.org/sqlite"
)

//go:embed schema.sql
var schema string

// shop is the service; calls come one after the other, on one connection.
type shop struct {
	db   *sql.DB
	seen map[string]bool
}

// open makes the database as it is at first.
func open() (*shop, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	_, err = db.Exec(schema)
	return &shop{db: db, seen: map[string]bool{}}, err
}

// met notes that a query had rows.
func (s *shop) met(name string) {
	if !s.seen[name] {
		s.seen[name] = true
		fmt.Printf("met %s\n", name)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	flag.Parse()
	s, err := open()
	if err == nil {
		err = http.ListenAndServe(*addr, s.handler())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
