// Rates converts amounts by a table of exchange rates that a bank publishes as CSV.
package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
)

var errTable = errors.New("the table cannot be read")

func main() {
	http.HandleFunc("GET /convert", convert)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

// table returns the rates by currency, and the inactive currencies.
func table() (map[string]float64, map[string]bool, error) {
	res, err := http.Get("http://bank.example/rates.csv")
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	rows := csv.NewReader(res.Body)
	rows.Comma = ';'
	head, err := rows.Read()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errTable, err)
	}
	column := map[string]int{}
	for i, name := range head {
		column[name] = i
	}
	currency, ok := column["currency"]
	if !ok {
		return nil, nil, fmt.Errorf("%w: no currencies", errTable)
	}
	rate, ok := column["rate"]
	if !ok {
		return nil, nil, fmt.Errorf("%w: no rates", errTable)
	}
	state, stated := column["state"]
	rates, inactive := map[string]float64{}, map[string]bool{}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return rates, inactive, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", errTable, err)
		}
		n, err := strconv.ParseFloat(row[rate], 64)
		if err != nil || n <= 0 {
			return nil, nil, fmt.Errorf("%w: a rate is no number", errTable)
		}
		rates[row[currency]] = n
		if stated && row[state] == "withdrawn" {
			inactive[row[currency]] = true
		}
	}
}

func convert(w http.ResponseWriter, r *http.Request) {
	amount, err := strconv.ParseFloat(r.FormValue("amount"), 64)
	if err != nil || amount <= 0 {
		http.Error(w, "amount is not a positive number", http.StatusBadRequest)
		return
	}
	rates, inactive, err := table()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if len(rates) == 0 {
		http.Error(w, "no rates today", http.StatusServiceUnavailable)
		return
	}
	n, ok := rates[r.FormValue("to")]
	if !ok {
		http.Error(w, "the bank does not trade the currency", http.StatusNotFound)
		return
	}
	if inactive[r.FormValue("to")] {
		http.Error(w, "the currency was withdrawn", http.StatusGone)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"amount": amount * n})
}
