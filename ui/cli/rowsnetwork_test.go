package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sonde/model"
	"sonde/model/codec"

	"golang.org/x/tools/txtar"
)

// pricing is a service whose orders are in SQLite, and whose rates come from a host.
const pricing = `
-- sonde.yaml --
spec: openapi.yaml
sut: {build: ., run: ["{binary}", "127.0.0.1:{port}"], ready: /health, sql: true}
reset: {restart: true}
-- openapi.yaml --
openapi: 3.0.3
info: {title: Pricing, version: "1"}
paths:
  /orders/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {default: {description: ""}}
-- main.go --
package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	_ "modernc.org/sqlite"
)

func main() {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, currency TEXT NOT NULL, cents INTEGER NOT NULL)"); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		currency, cents := "", 0
		if db.QueryRow("SELECT currency, cents FROM orders WHERE id = ?", r.PathValue("id")).Scan(&currency, &cents) != nil {
			w.WriteHeader(404)
			return
		}
		res, err := http.Get("http://rates.example/rates/" + currency)
		if err != nil {
			w.WriteHeader(502)
			return
		}
		defer res.Body.Close()
		var rate struct{ Rate int }
		if json.NewDecoder(res.Body).Decode(&rate) != nil || rate.Rate <= 0 || cents <= 0 {
			w.WriteHeader(503)
			return
		}
		fmt.Fprint(w, cents*rate.Rate)
	})
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}
`

// In a virtual network, tests insert rows and play hosts, both in one test. Run it by:
//
//	go test ./ui/cli -run TestRowsWithNetwork -sql 1 -v
func TestRowsWithNetwork(t *testing.T) {
	if *sqlSeeds == 0 {
		t.Skip("builds SQLite for a virtual network only with -sql SEEDS, which takes a minute of processor time")
	}
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join("../../runner/testdata/services/readonly", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range txtar.Parse([]byte(pricing)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Log(sonde(t, 1, "search", "--net", "--rows", "0.15", "--calls", "400", "--seed", "1", "-o", "run"))
	run, err := codec.OpenRun("run")
	if err != nil {
		t.Fatal(err)
	}
	both := func(test model.Test) bool {
		priced := func(c model.Call) bool { return c.Status == 200 }
		return len(test.Rows) > 0 && len(test.Stubs) > 0 && slices.ContainsFunc(test.Calls, priced)
	}
	if !slices.ContainsFunc(run.Tests, both) {
		t.Errorf("no test inserts a row and plays the host: %+v", run.Tests)
	}
}
