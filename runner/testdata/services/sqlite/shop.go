package main

import (
	"database/sql"
	"errors"
	"net/http"
)

// order takes items of an existing product from the stock.
func (s *shop) order(r *http.Request) (answer, error) {
	var in struct {
		SKU    string
		Amount int
	}
	if err := read(r, &in); err != nil {
		return answer{}, err
	}
	price := 0
	if err := s.db.QueryRow("SELECT price FROM products WHERE sku = ?", in.SKU).Scan(&price); err != nil {
		return answer{status: http.StatusUnprocessableEntity}, nil
	}
	met("product")
	made, err := s.db.Exec("INSERT INTO orders (sku, amount) VALUES (?, ?)", in.SKU, in.Amount)
	if err != nil {
		return answer{}, err
	}
	id, err := made.LastInsertId()
	if in.Amount < 0 {
		return answer{status: http.StatusInternalServerError, fault: "F01"}, nil
	}
	return answer{status: http.StatusCreated, value: int(id)}, err
}

func (s *shop) readOrder(r *http.Request) (answer, error) {
	amount := 0
	err := s.db.QueryRow("SELECT amount FROM orders WHERE id = $1", whole(r, "id")).Scan(&amount)
	if err != nil {
		return answer{}, err
	}
	met("order")
	return answer{status: http.StatusOK, value: amount}, nil
}

func (s *shop) readVoucher(r *http.Request) (answer, error) {
	percent, used := 0, false
	err := s.db.QueryRow("SELECT percent, used FROM vouchers AS v WHERE v.code = :code", sql.Named("code", r.PathValue("code"))).Scan(&percent, &used)
	if err != nil {
		return answer{}, err
	}
	met("voucher")
	if used {
		return answer{status: http.StatusInternalServerError, fault: "F02"}, nil
	}
	return answer{status: http.StatusOK, value: percent}, nil
}

// logIn looks for the badge and the PIN with one query, in a transaction.
func (s *shop) logIn(r *http.Request) (answer, error) {
	var in struct{ Badge, Pin int }
	if err := read(r, &in); err != nil {
		return answer{}, err
	}
	tx, err := s.db.BeginTx(r.Context(), nil)
	if err != nil {
		return answer{}, err
	}
	defer tx.Rollback()
	role := ""
	err = tx.QueryRowContext(r.Context(), "SELECT role FROM staff WHERE badge = ? AND pin = ?", in.Badge, in.Pin).Scan(&role)
	if errors.Is(err, sql.ErrNoRows) {
		return answer{status: http.StatusUnauthorized}, nil
	} else if err != nil {
		return answer{}, err
	}
	met("staff")
	if role == "manager" {
		return answer{status: http.StatusInternalServerError, fault: "F03"}, nil
	}
	return answer{status: http.StatusOK, value: 1}, nil
}
