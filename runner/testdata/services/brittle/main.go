// Command brittle is a service for studies that answers every request with 204, even if its code panics. Eight of its
// statements panic, or do not panic, only for rare requests. The service prints a line when that happens for the first
// time.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
)

var (
	mu   sync.Mutex
	seen = map[int]bool{}
)

// met prints that a rare event occurred for the first time.
func met(n int) {
	if !seen[n] {
		seen[n] = true
		fmt.Printf("met %d\n", n)
	}
}

// takes returns a handler that decodes a body, calls handle with it and answers 204. If handle panics with an error of
// the language, the event n has occurred, unless n is 0.
func takes[T any](n int, handle func(T)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in T
		if json.NewDecoder(r.Body).Decode(&in) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		defer func() {
			if _, is := recover().(runtime.Error); is && n > 0 {
				met(n)
			}
			w.WriteHeader(http.StatusNoContent)
		}()
		handle(in)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	flag.Parse()
	http.HandleFunc("POST /prices", takes(1, price))
	http.HandleFunc("POST /shares", takes(2, share))
	http.HandleFunc("POST /windows", takes(3, window))
	http.HandleFunc("POST /digests", takes(4, digest))
	http.HandleFunc("POST /nights", takes(5, night))
	http.HandleFunc("POST /steps", takes(6, step))
	http.HandleFunc("POST /lockers", takes(0, locker))
	http.HandleFunc("POST /labels", takes(0, label))
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
