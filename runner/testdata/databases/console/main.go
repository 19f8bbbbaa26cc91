// Command console executes the statements and queries that it gets in a PostgreSQL.
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"
)

func main() {
	driver := flag.String("driver", "pgx", "the driver: pgx or postgres (lib/pq)")
	database := flag.String("database", "", "URL of the database")
	flag.Parse()
	if err := serve(*driver, *database); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// console has the database, and a transaction that remains open between requests.
type console struct {
	db   *sql.DB
	held *sql.Tx
}

func serve(driver, database string) error {
	db, err := sql.Open(driver, database)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	return http.Serve(l, &console{db: db})
}

func (c *console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := c.answer(r)
	if err != nil {
		text = err.Error()
		w.WriteHeader(http.StatusConflict)
	}
	fmt.Fprint(w, text)
}

func (c *console) answer(r *http.Request) (string, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return "", err
	}
	switch r.URL.Path {
	case "/hold":
		c.held, err = c.db.BeginTx(context.Background(), nil)
		if err == nil {
			_, err = c.held.Exec(string(body))
		}
		return "", err
	case "/release":
		return "", c.held.Commit()
	}
	if r.Method == http.MethodGet {
		return lines(c.db, r.FormValue("q"))
	}
	_, err = c.db.Exec(string(body))
	return "", err
}

// lines returns the first column of the rows of a query, each with a line end.
func lines(db *sql.DB, query string) (all string, err error) {
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
		all += text + "\n"
	}
	return all, found.Err()
}
