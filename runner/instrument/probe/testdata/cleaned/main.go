// Command cleaned executes the statements and queries that it gets. The variable DB names the file of its database; without
// it, the database is in memory.
package main

import (
	"cmp"
	"database/sql"
	_ "embed"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	_ "modernc.org/sqlite"
)

//go:embed schema.sql
var schema string

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	name := os.Getenv("DB")
	if name == "" {
		name = ":memory:"
	}
	db, err := sql.Open("sqlite", name+"?_pragma=foreign_keys(1)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(schema); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "0"))
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		text := ""
		if r.Method == http.MethodGet {
			text, err = rows(db, r.FormValue("q"))
		} else if err == nil {
			_, err = db.Exec(string(body))
		}
		if err != nil {
			text = err.Error()
			w.WriteHeader(http.StatusConflict)
		}
		fmt.Fprint(w, text)
	}))
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
