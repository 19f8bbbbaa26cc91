// Settings is a service that reads its configuration from a host when it starts, and ends if it cannot use it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
)

type settings struct {
	Limit  int      `json:"limit"`
	Region string   `json:"region"`
	Rates  []rate   `json:"rates"`
	Banned []string `json:"banned"`
}

type rate struct {
	Above   int     `json:"above"`
	Percent float64 `json:"percent"`
}

func main() {
	s, err := load("http://settings.example/v1/shop")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /quote", s.quote)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func load(url string) (s settings, err error) {
	res, err := http.Get(url)
	if err != nil {
		return s, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return s, fmt.Errorf("settings: %s", res.Status)
	}
	if err := json.NewDecoder(res.Body).Decode(&s); err != nil {
		return s, fmt.Errorf("settings: %w", err)
	}
	switch {
	case s.Limit < 1:
		return s, fmt.Errorf("settings: the limit %d is not positive", s.Limit)
	case s.Region != "eu" && s.Region != "us":
		return s, fmt.Errorf("settings: unknown region %q", s.Region)
	case len(s.Rates) == 0:
		return s, fmt.Errorf("settings: no rates")
	}
	for _, r := range s.Rates {
		if r.Percent <= 0 || r.Percent > 100 {
			return s, fmt.Errorf("settings: a rate of %g%%", r.Percent)
		}
	}
	return s, nil
}

// quote answers the price of a number of articles.
func (s settings) quote(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.FormValue("count"))
	if err != nil || n < 1 {
		http.Error(w, "count is not a positive number", http.StatusBadRequest)
		return
	}
	if n > s.Limit {
		http.Error(w, "too many", http.StatusUnprocessableEntity)
		return
	}
	for _, name := range s.Banned {
		if name == r.FormValue("customer") {
			http.Error(w, "banned", http.StatusForbidden)
			return
		}
	}
	price := float64(n) * 10
	for _, r := range s.Rates {
		if n > r.Above {
			price *= 1 - r.Percent/100
		}
	}
	currency := "EUR"
	if s.Region == "us" {
		currency = "USD"
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"price": price, "currency": currency})
}
