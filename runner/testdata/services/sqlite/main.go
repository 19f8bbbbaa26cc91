// Command sqlite is a service for studies whose data is in SQLite: much of what it
// does it does only for who asks for what is in its tables, and no answer shows
// them. For whoever counts, it prints which query had rows.
package main

import (
	"context"
	"database/sql"
	_ "embed"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	_ "modernc.org/sqlite"
)

//go:embed schema.sql
var schema string

// shop is the service; calls come one after the other, on one connection.
type shop struct{ db *sql.DB }

// open makes the database as it is at first.
func open() (*shop, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	_, err = db.Exec(schema)
	return &shop{db}, err
}

// met notes that a query had rows.
func met(name string) { fmt.Printf("met %s\n", name) }

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	flag.Parse()
	if err := serve(*addr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve says where it listens, and serves until the process is asked to end.
func serve(addr string) error {
	s, err := open()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	failed := make(chan error, 1)
	go func() { failed <- http.Serve(l, s.handler()) }()
	asked, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	select {
	case err := <-failed:
		return err
	case <-asked.Done():
		return nil
	}
}
