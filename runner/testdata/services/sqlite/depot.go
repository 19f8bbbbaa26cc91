package main

import "net/http"

// readStock adds up the items on a shelf.
func (s *shop) readStock(r *http.Request) (answer, error) {
	rows, err := s.db.QueryContext(r.Context(), "SELECT amount FROM stock WHERE warehouse = ?2 AND ?1 = shelf", whole(r, "shelf"), whole(r, "warehouse"))
	if err != nil {
		return answer{}, err
	}
	defer rows.Close()
	a := answer{}
	for rows.Next() {
		met("stock")
		a.status = http.StatusOK
		if err := rows.Scan(&a.value); err != nil {
			return a, err
		}
		if a.value == 0 {
			a.status, a.fault = http.StatusInternalServerError, "F04"
		}
	}
	return a, rows.Err()
}

// readShipment reads a shipment by a prepared statement.
func (s *shop) readShipment(r *http.Request) (answer, error) {
	q, err := s.db.PrepareContext(r.Context(), "SELECT parcels FROM shipments WHERE number = ? LIMIT 1")
	if err != nil {
		return answer{}, err
	}
	defer q.Close()
	parcels := 0
	if err := q.QueryRow(whole(r, "number")).Scan(&parcels); err != nil {
		return answer{}, err
	}
	met("shipment")
	if parcels == 0 {
		return answer{status: http.StatusInternalServerError, fault: "F05"}, nil
	}
	return answer{status: http.StatusOK, value: parcels}, nil
}

// readRate looks for the range that has a weight.
func (s *shop) readRate(r *http.Request) (answer, error) {
	cents := 0
	err := s.db.QueryRow("SELECT cents FROM rates WHERE zone = ? AND above < ? AND upto >= ? ORDER BY above", r.FormValue("zone"), whole(r, "grams"), whole(r, "grams")).Scan(&cents)
	if err != nil {
		return answer{}, err
	}
	met("rate")
	if cents > 1000 {
		return answer{status: http.StatusInternalServerError, fault: "F06"}, nil
	}
	return answer{status: http.StatusOK, value: cents}, nil
}

// giveBack takes back an item that was bought and not returned yet.
func (s *shop) giveBack(r *http.Request) (answer, error) {
	var in struct{ Receipt, Item int }
	if err := read(r, &in); err != nil {
		return answer{}, err
	}
	cents := 0
	err := s.db.QueryRow("SELECT cents FROM receipts WHERE number = ? AND item = ? AND returned IS NULL", in.Receipt, in.Item).Scan(&cents)
	if err != nil {
		return answer{}, err
	}
	met("receipt")
	if cents > 1000 {
		return answer{status: http.StatusInternalServerError, fault: "F07"}, nil
	}
	return answer{status: http.StatusCreated, value: cents}, nil
}
