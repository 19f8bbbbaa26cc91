// Ledger asks a host of accounts by gob over TCP: a request, and a reply on the same connection.
package main

import (
	"encoding/gob"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"time"
)

type query struct {
	Account string
	Since   time.Time
}

type statement struct {
	Status  string
	Balance int64
	Limit   uint32
	Entries []entry
	Holder  *holder
}

type entry struct {
	Amount int64
	Kind   string
	Rate   float64
	Tags   map[string]string
}

type holder struct {
	Name  string
	Minor bool
}

func main() {
	http.HandleFunc("GET /accounts/{id}", account)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func ask(id string) (s statement, err error) {
	c, err := net.DialTimeout("tcp", "accounts.example:7312", 2*time.Second)
	if err != nil {
		return s, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(300 * time.Millisecond))
	if err := gob.NewEncoder(c).Encode(query{Account: id}); err != nil {
		return s, err
	}
	return s, gob.NewDecoder(c).Decode(&s)
}

func account(w http.ResponseWriter, r *http.Request) {
	s, err := ask(r.PathValue("id"))
	if err != nil {
		http.Error(w, "no statement", http.StatusBadGateway)
		return
	}
	switch s.Status {
	case "open":
	case "frozen":
		http.Error(w, "frozen", http.StatusLocked)
		return
	case "closed":
		http.Error(w, "closed", http.StatusGone)
		return
	default:
		http.Error(w, "no such account", http.StatusNotFound)
		return
	}
	fees, interest := int64(0), 0.0
	for _, e := range s.Entries {
		switch e.Kind {
		case "fee":
			fees += e.Amount
		case "interest":
			interest += e.Rate * float64(e.Amount)
		}
		if e.Tags["disputed"] == "1" {
			fees -= e.Amount
		}
	}
	out := map[string]any{"balance": s.Balance, "fees": fees, "interest": interest}
	if s.Holder != nil && s.Holder.Minor {
		out["guardian"] = true
	}
	if s.Balance < 0 && -s.Balance > int64(s.Limit) {
		out["overdrawn"] = true
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}
