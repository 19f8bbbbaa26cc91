// Command guarded is a service for studies that answers every request with 204. Its thirty guarded
// branches depend on the request. Within an operation, each branch is harder to reach by chance than
// the previous one. The service prints a line when a branch runs for the first time.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

var (
	mu   sync.Mutex
	seen = map[int]bool{}
)

// met prints that a guarded branch ran for the first time.
func met(n int) {
	if !seen[n] {
		seen[n] = true
		fmt.Printf("met %d\n", n)
	}
}

// takes returns a handler that decodes a body, calls handle with it and answers 204.
func takes[T any](handle func(T)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in T
		if json.NewDecoder(r.Body).Decode(&in) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		handle(in)
		w.WriteHeader(http.StatusNoContent)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	flag.Parse()
	http.HandleFunc("POST /numbers", takes(numbers))
	http.HandleFunc("POST /texts", takes(texts))
	http.HandleFunc("POST /times", takes(times))
	http.HandleFunc("POST /moves", takes(move))
	http.HandleFunc("POST /reset", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		state = ""
		w.WriteHeader(http.StatusNoContent)
	})
	asked, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		if err := http.ListenAndServe(*addr, nil); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}()
	<-asked.Done()
}
