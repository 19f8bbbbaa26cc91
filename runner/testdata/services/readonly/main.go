// Command readonly is a service for studies that only reads from SQLite. Its tables are empty, because another
// program fills them, and no request changes them. The service prints each part of it that is reached only with rows.
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

// open creates the database with empty tables.
func open() (*library, error) {
	db, err := sql.Open("sqlite", ":memory:?_pragma=foreign_keys(1)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // because each connection has its own database in memory
	_, err = db.Exec(schema)
	return &library{db}, err
}

// met prints that a part of the service was reached.
func met(name string) { fmt.Printf("met %s\n", name) }

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	flag.Parse()
	if err := serve(*addr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve prints its address, and serves until the process gets a signal to end.
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
