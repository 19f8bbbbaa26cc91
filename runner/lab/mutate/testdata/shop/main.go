// Command shop is a service for tests of mutants. It computes prices, calls a provider
// and counts sales.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

const dozen = 12

type shop struct {
	provider string
	sold     int
}

func main() {
	s := &shop{provider: os.Getenv("PROVIDER")}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "up") })
	mux.HandleFunc("POST /sales/{n}", s.sell)
	l, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	server := &http.Server{Handler: mux}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() { server.Shutdown(context.Background()) })
	server.Serve(l)
}

// sell answers with the price of a sale.
func (s *shop) sell(w http.ResponseWriter, r *http.Request) {
	n, err := number(r.PathValue("n"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	cents := price(n)
	if err := s.tell("order", cents); err != nil {
		http.Error(w, "no provider", http.StatusBadGateway)
		return
	}
	if err := s.tell("charge", cents); err != nil {
		http.Error(w, "no provider", http.StatusBadGateway)
		return
	}
	s.sold++
	json.NewEncoder(w).Encode(map[string]int{"cents": cents, "sold": s.sold})
}

// tell sends an amount to the provider.
func (s *shop) tell(what string, cents int) error {
	res, err := http.Post(s.provider+"/"+what, "text/plain", strings.NewReader(fmt.Sprint(cents)))
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// price returns the price of n pieces. It has a discount for a dozen.
func price(n int) int {
	if n >= dozen && n != 13 {
		return n * 9
	}
	return n * 10
}

func number(text string) (int, error) {
	n := 0
	if _, err := fmt.Sscan(text, &n); err != nil || n < 1 {
		return 0, errors.New("n: must be a number from 1 on")
	}
	return n, nil
}

// never is never called.
func never() bool { return dozen > 11 }
