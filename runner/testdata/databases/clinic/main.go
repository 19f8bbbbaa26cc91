// Command clinic is a service for studies that only reads from PostgreSQL. Its tables are empty, because another
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
	"net/url"
	"os"
	"os/signal"
	"syscall"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"
)

//go:embed schema.sql
var definitions string

// open connects to a database, and creates empty tables in a schema that no other process uses.
func open(driver, database string) (db *sql.DB, schema string, err error) {
	schema = fmt.Sprintf("clinic_%d", os.Getpid())
	at, err := url.Parse(database)
	if err != nil {
		return nil, "", err
	}
	options := at.Query()
	options.Set("search_path", schema)
	options.Set("sslmode", "disable")
	at.RawQuery = options.Encode()
	if db, err = sql.Open(driver, at.String()); err != nil {
		return nil, "", err
	}
	// Until the schema exists, the tables cannot be created, so one statement follows the other.
	for _, statement := range []string{"DROP SCHEMA IF EXISTS " + schema + " CASCADE", "CREATE SCHEMA " + schema, definitions} {
		if _, err = db.Exec(statement); err != nil {
			return nil, "", err
		}
	}
	return db, schema, nil
}

// met prints that a part of the service was reached.
func met(name string) { fmt.Printf("met %s\n", name) }

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	driver := flag.String("driver", "pgx", "the driver: pgx or postgres (lib/pq)")
	database := flag.String("database", os.Getenv("CLINIC_DATABASE"), "URL of the database")
	flag.Parse()
	if err := serve(*addr, *driver, *database); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve prints its address, and serves until the process gets a signal to end.
func serve(addr, driver, database string) error {
	db, schema, err := open(driver, database)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	failed := make(chan error, 1)
	go func() { failed <- http.Serve(l, (&clinic{db}).handler()) }()
	asked, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	select {
	case err := <-failed:
		return err
	case <-asked.Done():
		_, err := db.Exec("DROP SCHEMA " + schema + " CASCADE")
		return err
	}
}
