package serve

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
)

// Answer is the answer of an operation. A nil body is empty.
type Answer struct {
	Status   int
	Location string
	Link     string // the header
	Body     any
	Media    string // of a body that is the text Body; "" for JSON

	data []byte // the body
}

// OK answers 200.
func OK(body any) (Answer, error) { return Answer{Status: http.StatusOK, Body: body}, nil }

// NoContent answers 204.
func NoContent() (Answer, error) { return Answer{Status: http.StatusNoContent}, nil }

// Created answers 201. Without a format there is no Location.
func Created(body any, format string, args ...any) (Answer, error) {
	return Answer{Status: http.StatusCreated, Location: fmt.Sprintf(format, args...), Body: body}, nil
}

// Problem is an error that the caller has caused.
type Problem struct {
	Status int
	Text   string
}

func (p Problem) Error() string { return p.Text }

func (p Problem) answer() Answer {
	a := Answer{Status: p.Status, Body: map[string]string{"error": p.Text}}
	a.marshal()
	return a
}

// Refuse returns a Problem.
func Refuse(status int, format string, args ...any) error {
	return Problem{status, fmt.Sprintf(format, args...)}
}

// Missing returns the Problem for an unknown id.
func Missing(what string) error { return Refuse(http.StatusNotFound, "there is no such %s", what) }

// marshal encodes the body as JSON. It panics if JSON cannot express it.
func (a *Answer) marshal() {
	if a.Body == nil {
		return
	}
	if a.Media != "" {
		a.data = []byte(a.Body.(string))
		return
	}
	var err error
	if a.data, err = json.Marshal(a.Body); err != nil {
		panic(err)
	}
}

func (a *Answer) write(w http.ResponseWriter, fault string) {
	set := func(name, value string) {
		if value != "" {
			w.Header().Set(name, value)
		}
	}
	set("Location", a.Location)
	set("Link", a.Link)
	set("X-Fault", fault)
	if a.data != nil {
		set("Content-Type", cmp.Or(a.Media, "application/json"))
	}
	w.WriteHeader(a.Status)
	w.Write(a.data)
}
