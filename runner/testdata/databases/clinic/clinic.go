package main

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// clinic is the service.
type clinic struct{ db *sql.DB }

// answer is the answer of an operation: a value, or a problem.
type answer struct {
	status int
	value  int
	fault  string // the planted fault that was triggered
}

func (c *clinic) handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, do := range map[string]func(*http.Request) (answer, error){
		"GET /patients/{id}": c.readPatient, "GET /patients": c.findPatients, "GET /drugs/{code}": c.readDrug,
		"GET /drugs": c.findDrugs, "GET /doctors/{id}/visits": c.readVisits, "GET /patients/{id}/unpaid": c.readUnpaid,
		"GET /specials": c.readSpecial,
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

// readPatient reads the level of a patient.
func (c *clinic) readPatient(r *http.Request) (answer, error) {
	level, blocked := "", false
	err := c.db.QueryRowContext(r.Context(), "SELECT level, blocked FROM patients WHERE id = $1", r.PathValue("id")).Scan(&level, &blocked)
	if err != nil {
		return answer{}, err
	}
	met("patient")
	if level == "gold" && blocked {
		met("blocked")
		return answer{status: http.StatusInternalServerError, fault: "F02"}, nil
	}
	return answer{status: http.StatusOK, value: len(level)}, nil
}

// findPatients finds the patients who were born on a day.
func (c *clinic) findPatients(r *http.Request) (answer, error) {
	day, err := time.Parse(time.DateOnly, r.FormValue("born"))
	if err != nil {
		return answer{}, err
	}
	id := ""
	err = c.db.QueryRowContext(r.Context(), "SELECT id FROM patients WHERE born = $1 AND NOT blocked LIMIT 1", day).Scan(&id)
	if err != nil {
		return answer{}, err
	}
	met("born")
	return answer{status: http.StatusOK, value: len(id)}, nil
}

// readDrug reads a drug by its code.
func (c *clinic) readDrug(r *http.Request) (answer, error) {
	price, state := 0.0, ""
	err := c.db.QueryRowContext(r.Context(), "SELECT price, state FROM drugs WHERE code = $1", r.PathValue("code")).Scan(&price, &state)
	if err != nil {
		return answer{}, err
	}
	met("drug")
	if state == "withdrawn" {
		met("withdrawn")
		return answer{status: http.StatusGone}, nil
	}
	if price > 5000 {
		met("dear")
		return answer{status: http.StatusInternalServerError, fault: "F01"}, nil
	}
	return answer{status: http.StatusOK, value: int(price)}, nil
}

// findDrugs finds drugs by a part of their titles, without regard to case.
func (c *clinic) findDrugs(r *http.Request) (answer, error) {
	text := r.FormValue("title")
	if len(text) < 3 {
		return answer{status: http.StatusBadRequest}, nil
	}
	rows, err := c.db.QueryContext(
		r.Context(), "SELECT code FROM drugs WHERE title ILIKE '%' || $1::text || '%' AND state <> 'withdrawn'", text,
	)
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

// readVisits counts the visits to an active doctor.
func (c *clinic) readVisits(r *http.Request) (answer, error) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return answer{}, err
	}
	const query = "SELECT v.id FROM doctors d JOIN visits v ON v.doctor = d.id WHERE d.id = $1 AND d.active"
	rows, err := c.db.QueryContext(r.Context(), query, id)
	if err != nil {
		return answer{}, err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		n++
	}
	switch {
	case n == 0:
		return answer{}, rows.Err()
	case n > 1:
		met("two")
	}
	met("visits")
	return answer{status: http.StatusOK, value: n}, rows.Err()
}

// readUnpaid reads the fee of a visit that a patient has not paid. It reads in a transaction, in which no statement fails
// as long as nothing else uses the transaction. The UPDATE only locks the patient. A tool that looks at the tables after
// a query without rows could take current_role for a column, and fail.
func (c *clinic) readUnpaid(r *http.Request) (answer, error) {
	after, err := time.Parse(time.RFC3339, r.FormValue("after"))
	if err != nil {
		return answer{}, err
	}
	tx, err := c.db.BeginTx(r.Context(), nil)
	if err != nil {
		return answer{}, err
	}
	defer tx.Rollback()
	if _, err := tx.Exec("UPDATE patients SET blocked = blocked WHERE id = $1", r.PathValue("id")); err != nil {
		return answer{}, err
	}
	fee, visits := 0.0, 0
	err = tx.QueryRow(`SELECT v.fee FROM visits AS v JOIN patients p ON p.id = v.patient
		WHERE p.id = $1 AND v.at > $2 AND v.paid IS NULL AND v.state IN ('planned', 'done')`, r.PathValue("id"), after).Scan(&fee)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return answer{}, err
	}
	failed := tx.QueryRow("SELECT id FROM visits WHERE current_role = 'x'").Scan(&visits)
	if errors.Is(failed, sql.ErrNoRows) {
		failed = tx.QueryRow("SELECT count(*) FROM visits").Scan(&visits)
	}
	if failed != nil {
		return answer{status: http.StatusInternalServerError, fault: "aborted"}, nil
	}
	if err != nil {
		return answer{}, err
	}
	met("unpaid")
	if fee > 1000 {
		met("large")
		return answer{status: http.StatusPaymentRequired}, nil
	}
	return answer{status: http.StatusOK, value: visits}, tx.Commit()
}

// readSpecial reads the price of a cheap drug. The request has no values.
func (c *clinic) readSpecial(r *http.Request) (answer, error) {
	price := 0.0
	err := c.db.QueryRowContext(
		r.Context(), "SELECT price FROM drugs WHERE price BETWEEN 1.5 AND 20 AND state = 'sold' AND labels IS NOT NULL FOR SHARE",
	).Scan(&price)
	if err != nil {
		return answer{}, err
	}
	met("special")
	return answer{status: http.StatusOK, value: int(price)}, nil
}
