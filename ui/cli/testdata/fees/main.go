// Command fees tells the fee of an account. It asks a ledger for the account.
package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

// account is what the ledger answers.
type account struct {
	Kind    string  `json:"kind"`
	Balance float64 `json:"balance"`
}

// fee returns the fee of an account, in cents.
func fee(a account) int {
	if a.Kind == "staff" {
		return 0
	}
	if a.Balance < 100 {
		return 500
	}
	return int(a.Balance*2 + 0.5)
}

func main() {
	listen, ledger := os.Args[1], os.Args[2]
	http.HandleFunc("GET /fees/{id}", func(w http.ResponseWriter, r *http.Request) {
		ask, err := http.NewRequestWithContext(r.Context(), "GET", ledger+"/accounts/"+r.PathValue("id"), nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		res, err := http.DefaultClient.Do(ask)
		if err != nil {
			http.Error(w, "no ledger", http.StatusBadGateway)
			return
		}
		defer res.Body.Close()
		var a account
		if res.StatusCode != http.StatusOK || json.NewDecoder(res.Body).Decode(&a) != nil {
			http.Error(w, "no account", http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int{"cents": fee(a)})
	})
	server := &http.Server{Addr: listen}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	go func() {
		<-stop
		server.Close()
	}()
	server.ListenAndServe()
}
