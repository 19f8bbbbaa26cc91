package demo

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// answer is the result of a successful operation. If body is nil, the body is empty.
type answer struct {
	status   int
	location string
	body     any
}

func ok(body any) answer { return answer{status: http.StatusOK, body: body} }

func created(body any, format string, args ...any) answer {
	return answer{status: http.StatusCreated, location: fmt.Sprintf(format, args...), body: body}
}

// problem is the result of an operation that refuses a request.
type problem struct {
	status int
	text   string
}

func (p problem) Error() string { return p.text }

func refuse(status int, format string, args ...any) error {
	return problem{status, fmt.Sprintf(format, args...)}
}

func missing(kind string) error {
	return refuse(http.StatusNotFound, "%s: there is none with this id", kind)
}

// reply is an HTTP response.
type reply struct {
	status int
	header map[string]string
	body   []byte
}

func (a answer) reply() reply {
	r := reply{status: a.status, header: map[string]string{}}
	if a.location != "" {
		r.header["Location"] = a.location
	}
	if a.body != nil {
		body, err := json.Marshal(a.body)
		if err != nil {
			panic(err) // Shop.run recovers and answers 500
		}
		body = append(body, '\n')
		r.header["Content-Type"], r.body = "application/json", body
	}
	return r
}

func (p problem) reply() reply {
	r := answer{status: p.status, body: map[string]string{"error": p.text}}.reply()
	if p.status == http.StatusUnauthorized {
		r.header["WWW-Authenticate"] = "Bearer"
	}
	return r
}

func (r reply) write(w http.ResponseWriter) {
	for name, value := range r.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(r.status)
	w.Write(r.body)
}
