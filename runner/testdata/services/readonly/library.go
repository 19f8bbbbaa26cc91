package main

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// library is the service.
type library struct{ db *sql.DB }

// answer is the answer of an operation: a value, or a problem.
type answer struct {
	status int
	value  int
	fault  string // the planted fault that was triggered
}

func (l *library) handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, do := range map[string]func(*http.Request) (answer, error){
		"GET /books/{isbn}": l.readBook, "GET /books": l.findBooks, "GET /authors/{id}/books": l.readShelf,
		"GET /members/{card}": l.readMember, "GET /members/{card}/loans": l.readLoans, "GET /leaflets": l.countLeaflets,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			a, err := do(r)
			a.write(w, err)
		})
	}
	return mux
}

func (a answer) write(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	if a.fault != "" {
		w.Header().Set("X-Fault", a.fault)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		a.status = http.StatusBadRequest
	}
	if a.status == 0 {
		a.status = http.StatusNotFound
	}
	w.WriteHeader(a.status)
	if a.status < 300 {
		fmt.Fprintf(w, `{"value":%d}`, a.value)
	} else {
		fmt.Fprint(w, `{"error":"no"}`)
	}
}

// readBook reads a book by its number.
func (l *library) readBook(r *http.Request) (answer, error) {
	pages, state := 0, ""
	err := l.db.QueryRowContext(r.Context(), "SELECT pages, state FROM books WHERE isbn = ?", r.PathValue("isbn")).Scan(&pages, &state)
	if err != nil {
		return answer{}, err
	}
	met("book")
	if state == "lost" {
		met("lost")
		return answer{status: http.StatusGone}, nil
	}
	if pages > 4000 {
		met("thick")
		return answer{status: http.StatusInternalServerError, fault: "F01"}, nil
	}
	return answer{status: http.StatusOK, value: pages}, nil
}

// findBooks finds books by a part of their titles.
func (l *library) findBooks(r *http.Request) (answer, error) {
	text := r.FormValue("title")
	if len(text) < 3 {
		return answer{status: http.StatusBadRequest}, nil
	}
	rows, err := l.db.QueryContext(r.Context(), "SELECT isbn FROM books WHERE title LIKE '%' || ? || '%' AND state <> 'lost'", text)
	if err != nil {
		return answer{}, err
	}
	defer rows.Close()
	a := answer{}
	for rows.Next() {
		a.status = http.StatusOK
		a.value++
	}
	if a.value > 0 {
		met("title")
	}
	return a, rows.Err()
}

// readShelf counts the books of an active author.
func (l *library) readShelf(r *http.Request) (answer, error) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return answer{}, err
	}
	rows, err := l.db.QueryContext(
		r.Context(), "SELECT b.pages FROM authors a JOIN books b ON b.author = a.id WHERE a.id = ? AND a.active = 1", id,
	)
	if err != nil {
		return answer{}, err
	}
	defer rows.Close()
	n, pages := 0, 0
	for rows.Next() {
		n++
		if err := rows.Scan(&pages); err != nil {
			return answer{}, err
		}
	}
	switch {
	case n == 0:
		return answer{}, rows.Err()
	case n > 1:
		met("two")
	}
	met("shelf")
	return answer{status: http.StatusOK, value: n}, rows.Err()
}

// readMember reads the level of a member.
func (l *library) readMember(r *http.Request) (answer, error) {
	card, err := strconv.Atoi(r.PathValue("card"))
	if err != nil {
		return answer{}, err
	}
	level, blocked := "", false
	err = l.db.QueryRowContext(r.Context(), "SELECT level, blocked FROM members WHERE card = ?", card).Scan(&level, &blocked)
	if err != nil {
		return answer{}, err
	}
	met("member")
	if level == "gold" && blocked {
		met("blocked")
		return answer{status: http.StatusInternalServerError, fault: "F02"}, nil
	}
	return answer{status: http.StatusOK, value: len(level)}, nil
}

// readLoans reads what a member has still to bring back, and whether it is due on a day.
func (l *library) readLoans(r *http.Request) (answer, error) {
	card, err := strconv.Atoi(r.PathValue("card"))
	if err != nil {
		return answer{}, err
	}
	day, err := time.Parse(time.DateOnly, r.FormValue("day"))
	if err != nil {
		return answer{}, err
	}
	due, title := time.Time{}, ""
	err = l.db.QueryRowContext(r.Context(), `SELECT l.due, b.title FROM loans l JOIN members m ON m.card = l.member
		JOIN books b ON b.isbn = l.book WHERE m.card = ? AND l.returned IS NULL ORDER BY l.due`, card).Scan(&due, &title)
	if err != nil {
		return answer{}, err
	}
	met("loan")
	if due.Before(day) {
		met("overdue")
		return answer{status: http.StatusPaymentRequired}, nil
	}
	return answer{status: http.StatusOK, value: len(title)}, nil
}

// countLeaflets counts short books. The request has no values.
func (l *library) countLeaflets(r *http.Request) (answer, error) {
	pages := 0
	err := l.db.QueryRowContext(r.Context(), "SELECT pages FROM books WHERE pages BETWEEN 12 AND 48 AND state = 'shelf'").Scan(&pages)
	if err != nil {
		return answer{}, err
	}
	met("leaflet")
	return answer{status: http.StatusOK, value: pages}, nil
}
