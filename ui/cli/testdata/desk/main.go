// Command desk is a service for tests: notes, with the faults that its arguments name.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
)

// desk has the notes and the faults of the service.
type desk struct {
	mu     sync.Mutex
	notes  []note
	faults []string
	reads  int
}

type note struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

func main() {
	d := &desk{faults: os.Args[2:]}
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("POST /reset", func(http.ResponseWriter, *http.Request) { d.notes = nil })
	http.HandleFunc("GET /notes", d.list)
	http.HandleFunc("POST /notes", d.add)
	http.HandleFunc("GET /status", d.status)
	if err := http.ListenAndServe(os.Args[1], nil); err != nil {
		panic(err)
	}
}

func (d *desk) has(fault string) bool { return slices.Contains(d.faults, fault) }

// fail answers with a message that repeats what was sent.
func fail(w http.ResponseWriter, format string, args ...any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusInternalServerError)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": fmt.Sprintf(format, args...)})
}

func (d *desk) list(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if sort := r.URL.Query().Get("sort"); d.has("sort") && sort != "" && sort != "name" {
		fail(w, "no such column: %s", sort)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(append([]note{}, d.notes...))
}

func (d *desk) add(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var n note
	if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
		http.Error(w, "no note", http.StatusBadRequest)
		return
	}
	if d.has("name") && len(n.Name) < 2 {
		fail(w, "the name %s is too short", n.Name)
		return
	}
	n.ID = len(d.notes) + 1
	d.notes = append(d.notes, n)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(n)
}

// status fails once in the life of the process, if the service has the fault "once".
func (d *desk) status(w http.ResponseWriter, _ *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reads++
	if d.has("once") && d.reads == 5 {
		fail(w, "no connection")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, `{"ok":true}`)
}
