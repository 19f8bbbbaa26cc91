// Library is a service that keeps all of its data in MySQL or MariaDB, for tests. It prepares the statements about books, and writes the
// values into those about loans.
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

	"github.com/go-sql-driver/mysql"
)

var schema = []string{
	`CREATE TABLE IF NOT EXISTS book (
	id int AUTO_INCREMENT PRIMARY KEY,
	title varchar(60) UNIQUE NOT NULL,
	price decimal(10, 2) NOT NULL,
	copies int NOT NULL,
	weight double,
	tags json NOT NULL,
	added datetime(6) NOT NULL DEFAULT now(6),
	CONSTRAINT copies_are_there CHECK (copies >= 0)
)`,
	`CREATE TABLE IF NOT EXISTS loan (
	id bigint unsigned AUTO_INCREMENT PRIMARY KEY,
	book int NOT NULL,
	days smallint NOT NULL,
	reader varchar(20) NOT NULL,
	due date NOT NULL,
	at datetime(6) NOT NULL,
	CONSTRAINT loan_of_book FOREIGN KEY (book) REFERENCES book (id)
)`,
}

// books and loans are pools of connections: the first prepares statements, the other sends their text with all values.
var books, loans *sql.DB

func main() {
	books, loans = open(""), open("&interpolateParams=true")
	for _, statement := range schema {
		if _, err := books.Exec(statement); err != nil {
			log.Fatal(err)
		}
	}
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("GET /books", list)
	http.HandleFunc("POST /books", add)
	http.HandleFunc("GET /books/{id}", book)
	http.HandleFunc("DELETE /books/{id}", remove)
	http.HandleFunc("POST /books/{id}/loans", lend)
	http.HandleFunc("GET /books/{id}/loans", lent)
	go func() { log.Fatal(http.ListenAndServe(os.Args[1], nil)) }()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	<-ended // and main returns, so that the coverage of the process is written
}

func open(settings string) *sql.DB {
	db, err := sql.Open("mysql", "librarian:paper@tcp("+os.Args[2]+")/test?parseTime=true&time_zone=%27%2B00%3A00%27"+settings)
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	return db
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

// statuses has the statuses of answers for errors of the database: of a unique key, of foreign keys, and of a check.
var statuses = map[uint16]int{1062: 409, 1451: 409, 1452: 404, 3819: 409, 4025: 409}

// failed replies to a request that caused an error.
func failed(w http.ResponseWriter, err error) bool {
	var e *mysql.MySQLError
	switch {
	case err == nil:
		return false
	case errors.Is(err, sql.ErrNoRows):
		reply(w, 404, map[string]string{"error": "there is no such book"})
	case errors.As(err, &e) && statuses[e.Number] != 0:
		reply(w, statuses[e.Number], map[string]any{"error": e.Message, "state": string(e.SQLState[:])})
	default:
		reply(w, 500, map[string]string{"error": err.Error()})
	}
	return true
}

type item struct {
	ID     int64           `json:"id"`
	Title  string          `json:"title"`
	Price  string          `json:"price"`
	Copies int             `json:"copies"`
	Weight *float64        `json:"weight"`
	Tags   json.RawMessage `json:"tags"`
	Added  time.Time       `json:"added"`
}

const columns = "id, title, price, copies, weight, tags, added"

func (i *item) fields() []any {
	return []any{&i.ID, &i.Title, &i.Price, &i.Copies, &i.Weight, (*[]byte)(&i.Tags), &i.Added}
}

func list(w http.ResponseWriter, r *http.Request) {
	rows, err := books.QueryContext(
		r.Context(), "SELECT "+columns+" FROM book WHERE title LIKE ? ORDER BY id DESC LIMIT 3", r.FormValue("title")+"%",
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

func find(c context.Context, id any) (i item, err error) {
	return i, books.QueryRowContext(c, "SELECT "+columns+" FROM book WHERE id = ?", id).Scan(i.fields()...)
}

func book(w http.ResponseWriter, r *http.Request) {
	i, err := find(r.Context(), r.PathValue("id"))
	if !failed(w, err) {
		reply(w, 200, i)
	}
}

func add(w http.ResponseWriter, r *http.Request) {
	var i item
	if err := json.NewDecoder(r.Body).Decode(&i); err != nil || i.Title == "" || i.Price == "" {
		reply(w, 400, map[string]string{"error": "it is not a book"})
		return
	}
	if i.Tags == nil {
		i.Tags = json.RawMessage("[]")
	}
	done, err := books.ExecContext(
		r.Context(), "INSERT INTO book (title, price, copies, weight, tags) VALUES (?, ?, ?, ?, ?)", i.Title, i.Price, i.Copies, i.Weight,
		string(i.Tags),
	)
	if failed(w, err) {
		return
	}
	id, _ := done.LastInsertId()
	if i, err = find(r.Context(), id); !failed(w, err) {
		reply(w, 201, i)
	}
}

func remove(w http.ResponseWriter, r *http.Request) {
	done, err := books.ExecContext(r.Context(), "DELETE FROM book WHERE id = ?", r.PathValue("id"))
	if failed(w, err) {
		return
	}
	if n, _ := done.RowsAffected(); n == 0 {
		failed(w, sql.ErrNoRows)
		return
	}
	w.WriteHeader(204)
}

// lend lends a copy in a transaction. It is rolled back if there is none.
func lend(w http.ResponseWriter, r *http.Request) {
	var loan struct {
		Days   int    `json:"days"`
		Reader string `json:"reader"`
	}
	if err := json.NewDecoder(r.Body).Decode(&loan); err != nil || loan.Days < 1 {
		reply(w, 400, map[string]string{"error": "it is not a loan"})
		return
	}
	var id int64
	left := 0
	err := within(r.Context(), func(tx *sql.Tx) error {
		if err := tx.QueryRow("SELECT copies FROM book WHERE id = ? FOR UPDATE", r.PathValue("id")).Scan(&left); err != nil {
			return err
		}
		if _, err := tx.Exec("UPDATE book SET copies = copies - 1 WHERE id = ?", r.PathValue("id")); err != nil {
			return err
		}
		done, err := tx.Exec(
			"INSERT INTO loan (book, days, reader, due, at) VALUES (?, ?, ?, current_date + INTERVAL ? DAY, ?)",
			r.PathValue("id"), loan.Days, loan.Reader, loan.Days, time.Now(),
		)
		if err == nil {
			id, err = done.LastInsertId()
		}
		return err
	})
	if !failed(w, err) {
		reply(w, 201, map[string]any{"id": id, "left": left - 1})
	}
}

func within(c context.Context, do func(*sql.Tx) error) error {
	tx, err := loans.BeginTx(c, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

func lent(w http.ResponseWriter, r *http.Request) {
	type total struct {
		Reader string    `json:"reader"`
		Days   int64     `json:"days"`
		Due    time.Time `json:"due"`
	}
	rows, err := loans.QueryContext(
		r.Context(), "SELECT reader, sum(days), max(due) FROM loan WHERE book = ? GROUP BY reader ORDER BY reader", r.PathValue("id"),
	)
	if failed(w, err) {
		return
	}
	defer rows.Close()
	all := []total{}
	for rows.Next() {
		var t total
		if failed(w, rows.Scan(&t.Reader, &t.Days, &t.Due)) {
			return
		}
		all = append(all, t)
	}
	if !failed(w, rows.Err()) {
		reply(w, 200, all)
	}
}
