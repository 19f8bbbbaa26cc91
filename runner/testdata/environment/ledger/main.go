// Ledger keeps its entries in a file, which a request empties.
package main

import (
	"log"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	dir, err := os.MkdirTemp("", "ledger-")
	if err != nil {
		log.Fatal(err)
	}
	file := filepath.Join(dir, "entries")
	write := func(flag int, text string) error {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|flag, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.WriteString(text)
		return err
	}
	http.HandleFunc("POST /reset", func(w http.ResponseWriter, r *http.Request) {
		if err := write(os.O_TRUNC, "ledger\n"); err != nil {
			http.Error(w, "the ledger cannot be emptied", 500)
		}
	})
	http.HandleFunc("POST /entries", func(w http.ResponseWriter, r *http.Request) {
		if err := write(os.O_APPEND, "entry\n"); err != nil {
			http.Error(w, "the entry cannot be written", 507)
			return
		}
		w.WriteHeader(201)
	})
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
