// Archive keeps notes in files, and makes reports from a template.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
)

// dir is the folder of the notes.
var dir string

// journal is open as long as the service runs.
var journal *os.File

func main() {
	var err error
	dir, err = os.MkdirTemp("", "archive-")
	if err != nil {
		log.Fatal(err)
	}
	journal, err = os.Create(filepath.Join(dir, "journal"))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "template"), []byte("report\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("PUT /notes/{name}", put)
	http.HandleFunc("GET /notes/{name}", get)
	http.HandleFunc("DELETE /notes/{name}", remove)
	http.HandleFunc("POST /report", report)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

var nameForm = regexp.MustCompile(`^[a-z]{1,8}$`)

// put writes a note to a new file, which replaces the old one.
func put(w http.ResponseWriter, r *http.Request) {
	var note struct{ Text string }
	if err := json.NewDecoder(r.Body).Decode(&note); err != nil || !nameForm.MatchString(r.PathValue("name")) {
		answer(w, 400, "no note")
		return
	}
	if _, err := journal.WriteString("put " + r.PathValue("name") + "\n"); err != nil {
		answer(w, 507, "no space for the journal")
		return
	}
	file := filepath.Join(dir, r.PathValue("name")+".txt")
	err := os.WriteFile(file+".new", []byte(note.Text), 0o600)
	if errors.Is(err, syscall.ENOSPC) {
		os.Remove(file + ".new")
		answer(w, 507, "no space")
		return
	}
	if os.IsPermission(err) {
		answer(w, 403, "not permitted")
		return
	}
	if err != nil {
		answer(w, 500, "it failed")
		return
	}
	if err := os.Rename(file+".new", file); err != nil {
		answer(w, 500, "it was not replaced")
		return
	}
	w.WriteHeader(204)
}

// get sends a note.
func get(w http.ResponseWriter, r *http.Request) {
	if !nameForm.MatchString(r.PathValue("name")) {
		answer(w, 404, "no note")
		return
	}
	f, err := os.Open(filepath.Join(dir, r.PathValue("name")+".txt"))
	if errors.Is(err, os.ErrNotExist) {
		answer(w, 404, "no note")
		return
	}
	if err != nil {
		answer(w, 500, "it cannot be opened")
		return
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		answer(w, 422, "it cannot be read")
		return
	}
	answer(w, 200, string(text))
}

// remove removes a note.
func remove(w http.ResponseWriter, r *http.Request) {
	if !nameForm.MatchString(r.PathValue("name")) {
		answer(w, 404, "no note")
		return
	}
	err := os.Remove(filepath.Join(dir, r.PathValue("name")+".txt"))
	if errors.Is(err, os.ErrPermission) {
		answer(w, 403, "not permitted")
		return
	}
	if err != nil {
		answer(w, 404, "no note")
		return
	}
	w.WriteHeader(204)
}

// report makes a report in a folder of its own.
func report(w http.ResponseWriter, r *http.Request) {
	template, err := os.ReadFile(filepath.Join(dir, "template"))
	if err != nil {
		answer(w, 409, "no template")
		return
	}
	if err := os.MkdirAll(filepath.Join(dir, "reports"), 0o700); err != nil {
		answer(w, 507, "no folder")
		return
	}
	f, err := os.CreateTemp(filepath.Join(dir, "reports"), "report-*.txt")
	if err != nil {
		answer(w, 500, "no file")
		return
	}
	defer f.Close()
	defer os.Remove(f.Name())
	if _, err := f.Write(template); err != nil {
		answer(w, 507, "no space for the head")
		return
	}
	if _, err := f.WriteString("end\n"); err != nil {
		answer(w, 507, "no space for the end")
		return
	}
	answer(w, 201, "made")
}
