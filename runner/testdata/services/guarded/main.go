// Command guarded is a service for studies that says nothing: all that it is given
// it answers with 204, and what it found in it shows only in which of its branches
// ran. They are thirty, each harder to come to by chance than the one before in
// its operation. For whoever counts, it prints the first time that one ran.
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

// met notes that a guarded branch ran.
func met(n int) {
	if !seen[n] {
		seen[n] = true
		fmt.Printf("met %d\n", n)
	}
}

// takes answers what an operation is given.
func takes[T any](do func(T)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in T
		if json.NewDecoder(r.Body).Decode(&in) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		do(in)
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
