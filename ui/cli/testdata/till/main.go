// Command till is a service for tests. It calls hosts that fail in different ways, and stores its sales
// in a file.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var customer = &http.Client{Timeout: 2 * time.Second}

func main() {
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("GET /charges/{host}", charge)
	http.HandleFunc("GET /sales/{id}", sale)
	http.HandleFunc("POST /sales", sell)
	if err := http.ListenAndServe(os.Args[1], nil); err != nil {
		panic(err)
	}
}

// sales returns the sales in the file that the environment variable TILL_SALES names, one on each line. It
// returns nil if the file cannot be read.
func sales() []string {
	data, err := os.ReadFile(os.Getenv("TILL_SALES"))
	if err != nil {
		return nil
	}
	return strings.Fields(string(data))
}

// sale answers with the sale of a number, and with the total number of sales.
func sale(w http.ResponseWriter, r *http.Request) {
	all := sales()
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || id < 1 || id > len(all) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"cents":%q,"of":%d}`, all[id-1], len(all))
}

// sell adds a sale.
func sell(w http.ResponseWriter, r *http.Request) {
	cents, _ := io.ReadAll(r.Body)
	all := append(sales(), string(cents))
	if err := os.WriteFile(os.Getenv("TILL_SALES"), []byte(strings.Join(all, "\n")), 0o600); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w, `{"of":%d}`, len(all))
}

// charge calls a host. It answers with the host's answer or with the kind of failure.
func charge(w http.ResponseWriter, r *http.Request) {
	url := "http://" + r.PathValue("host") + ".example/charge"
	switch {
	case r.PathValue("host") == "told" && len(os.Args) > 2:
		url = os.Args[2]
	case r.PathValue("host") == "secret":
		url = strings.Replace(url, "http", "https", 1)
	}
	said, err := ask(r.Context(), url)
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		said = failure(err)
	}
	fmt.Fprintf(w, `{"said":%q}`, said)
}

func ask(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(`{"cents":1200}`))
	if err != nil {
		return "", err
	}
	res, err := customer.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	return string(said), err
}

// failure returns a different text for each kind of failure.
func failure(err error) string {
	var late interface{ Timeout() bool }
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "it is closed"
	case errors.Is(err, syscall.ECONNRESET):
		return "it hung up"
	case errors.As(err, &late) && late.Timeout():
		return "it does not answer"
	}
	return err.Error()
}
