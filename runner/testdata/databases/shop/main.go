// Shop is a service that keeps all of its data in PostgreSQL, for tests.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib"
)

const schema = `
CREATE TABLE IF NOT EXISTS product (
	id serial PRIMARY KEY,
	name text UNIQUE NOT NULL,
	price numeric(10, 2) NOT NULL,
	stock int NOT NULL CHECK (stock >= 0),
	weight double precision,
	labels jsonb NOT NULL,
	added timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS sale (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	product int NOT NULL REFERENCES product,
	count smallint NOT NULL,
	buyer varchar(20) NOT NULL,
	day date NOT NULL DEFAULT current_date,
	at timestamptz NOT NULL
)`

var db *sql.DB

func main() {
	var err error
	if db, err = sql.Open("pgx", "postgres://postgres@"+os.Args[2]+"/postgres"); err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	if _, err := db.Exec(schema); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("GET /products", products)
	http.HandleFunc("POST /products", add)
	http.HandleFunc("GET /products/{id}", product)
	http.HandleFunc("DELETE /products/{id}", remove)
	http.HandleFunc("POST /products/{id}/sales", sell)
	http.HandleFunc("GET /products/{id}/sales", sales)
	go func() { log.Fatal(http.ListenAndServe(os.Args[1], nil)) }()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	<-ended // and main returns, so that the coverage of the process is written
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

// failed replies to a request that caused an error.
func failed(w http.ResponseWriter, err error) bool {
	var e *pgconn.PgError
	switch {
	case err == nil:
		return false
	case errors.Is(err, sql.ErrNoRows):
		reply(w, 404, map[string]string{"error": "there is no such product"})
	case errors.As(err, &e) && (e.Code == "23505" || e.Code == "23503" || e.Code == "23514"):
		reply(w, 409, map[string]string{"error": e.ConstraintName})
	case errors.As(err, &e) && e.Code == "22P02":
		reply(w, 400, map[string]string{"error": e.Message})
	default:
		reply(w, 500, map[string]string{"error": err.Error()})
	}
	return true
}

type item struct {
	ID     int64           `json:"id"`
	Name   string          `json:"name"`
	Price  string          `json:"price"`
	Stock  int             `json:"stock"`
	Weight *float64        `json:"weight"`
	Labels json.RawMessage `json:"labels"`
	Added  time.Time       `json:"added"`
}

const columns = "id, name, price, stock, weight, labels, added"

func (i *item) fields() []any {
	return []any{&i.ID, &i.Name, &i.Price, &i.Stock, &i.Weight, &i.Labels, &i.Added}
}

func products(w http.ResponseWriter, r *http.Request) {
	rows, err := db.QueryContext(
		r.Context(), "SELECT "+columns+" FROM product WHERE name LIKE $1 ORDER BY id DESC LIMIT 3", r.FormValue("name")+"%",
	)
	if failed(w, err) {
		return
	}
	defer rows.Close()
	all := []item{}
	for rows.Next() {
		var i item
		if failed(w, rows.Scan(i.fields()...)) {
			return
		}
		all = append(all, i)
	}
	if !failed(w, rows.Err()) {
		reply(w, 200, all)
	}
}

func product(w http.ResponseWriter, r *http.Request) {
	var i item
	err := db.QueryRowContext(r.Context(), "SELECT "+columns+" FROM product WHERE id = $1", r.PathValue("id")).Scan(i.fields()...)
	if !failed(w, err) {
		reply(w, 200, i)
	}
}

func add(w http.ResponseWriter, r *http.Request) {
	var i item
	if err := json.NewDecoder(r.Body).Decode(&i); err != nil || i.Name == "" || i.Price == "" {
		reply(w, 400, map[string]string{"error": "it is not a product"})
		return
	}
	if i.Labels == nil {
		i.Labels = json.RawMessage("[]")
	}
	err := db.QueryRowContext(
		r.Context(), "INSERT INTO product (name, price, stock, weight, labels) VALUES ($1, $2, $3, $4, $5) RETURNING "+columns, i.Name,
		i.Price, i.Stock, i.Weight, []byte(i.Labels),
	).Scan(i.fields()...)
	if !failed(w, err) {
		reply(w, 201, i)
	}
}

func remove(w http.ResponseWriter, r *http.Request) {
	done, err := db.ExecContext(r.Context(), "DELETE FROM product WHERE id = $1", r.PathValue("id"))
	if failed(w, err) {
		return
	}
	if n, _ := done.RowsAffected(); n == 0 {
		failed(w, sql.ErrNoRows)
		return
	}
	w.WriteHeader(204)
}

// sell sells a number of a product in a transaction. It is rolled back if there are not that many.
func sell(w http.ResponseWriter, r *http.Request) {
	var sale struct {
		Count int    `json:"count"`
		Buyer string `json:"buyer"`
	}
	if err := json.NewDecoder(r.Body).Decode(&sale); err != nil || sale.Count < 1 {
		reply(w, 400, map[string]string{"error": "it is not a sale"})
		return
	}
	id, left := "", 0
	err := within(r.Context(), func(tx *sql.Tx) error {
		err := tx.QueryRow("SELECT stock FROM product WHERE id = $1 FOR UPDATE", r.PathValue("id")).Scan(&left)
		if err != nil {
			return err
		}
		if _, err := tx.Exec("UPDATE product SET stock = stock - $2 WHERE id = $1", r.PathValue("id"), sale.Count); err != nil {
			return err
		}
		return tx.QueryRow(
			"INSERT INTO sale (product, count, buyer, at) VALUES ($1, $2, $3, $4) RETURNING id", r.PathValue("id"), sale.Count, sale.Buyer,
			time.Now(),
		).Scan(&id)
	})
	if !failed(w, err) {
		reply(w, 201, map[string]any{"id": id, "left": left - sale.Count})
	}
}

func within(c context.Context, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(c, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

func sales(w http.ResponseWriter, r *http.Request) {
	type total struct {
		Buyer string    `json:"buyer"`
		Count int64     `json:"count"`
		Last  time.Time `json:"last"`
	}
	rows, err := db.QueryContext(
		r.Context(), "SELECT buyer, sum(count), max(day) FROM sale WHERE product = $1 GROUP BY buyer ORDER BY buyer", r.PathValue("id"),
	)
	if failed(w, err) {
		return
	}
	defer rows.Close()
	all := []total{}
	for rows.Next() {
		var t total
		if failed(w, rows.Scan(&t.Buyer, &t.Count, &t.Last)) {
			return
		}
		all = append(all, t)
	}
	if !failed(w, rows.Err()) {
		reply(w, 200, all)
	}
}
