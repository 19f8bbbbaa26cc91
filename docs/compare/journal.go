package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"sync"
)

// journal is a file with the exchanges of a run, each as a line of JSON. Headers are left out, because they
// contain credentials. A nil *journal records nothing.
type journal struct {
	mu   sync.Mutex // protects file
	file *os.File
}

// exchange is a request and its answer. Only the first bytes of bodies are recorded.
type exchange struct {
	Method, URL string
	Op          string `json:",omitempty"`
	Status      int
	Sent        string `json:",omitempty"`
	Answer      string `json:",omitempty"`
}

// excerptBytes is the maximum number of bytes recorded of a body.
const excerptBytes = 2000

func newJournal(name string) (*journal, error) {
	f, err := os.Create(name)
	return &journal{file: f}, err
}

// sentBody is the context key for the *excerpt of a request.
type sentBody struct{}

// watch returns a request whose body records what is read from it.
func (j *journal) watch(r *http.Request) *http.Request {
	if j == nil || r.Body == nil {
		return r
	}
	body := &excerpt{ReadCloser: r.Body}
	r = r.WithContext(context.WithValue(r.Context(), sentBody{}, body))
	r.Body = body
	return r
}

// note records an answer when its body is closed. A connection that changes its protocol is not recorded.
func (j *journal) note(op string, r *http.Response) {
	if j == nil || r.StatusCode == http.StatusSwitchingProtocols {
		return
	}
	x := exchange{Method: r.Request.Method, URL: r.Request.URL.RequestURI(), Op: op, Status: r.StatusCode}
	sent, _ := r.Request.Context().Value(sentBody{}).(*excerpt)
	answer := &excerpt{ReadCloser: r.Body}
	answer.closed = func() {
		x.Sent, x.Answer = sent.text(), answer.text()
		j.write(x)
	}
	r.Body = answer
}

// write appends a line. It ignores errors, so that a line may be missing.
func (j *journal) write(x exchange) {
	line, err := json.Marshal(x)
	if err != nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.file.Write(append(line, '\n'))
}

func (j *journal) close() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.file.Close()
}

// excerpt is a body that records the first bytes that are read from it.
type excerpt struct {
	io.ReadCloser
	mu     sync.Mutex // protects kept, because a request may still be read when its answer is complete
	kept   bytes.Buffer
	closed func() // called after Close if not nil
}

func (e *excerpt) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kept.Write(p[:min(n, excerptBytes-e.kept.Len())])
	return n, err
}

func (e *excerpt) Close() error {
	err := e.ReadCloser.Close()
	if e.closed != nil {
		e.closed()
	}
	return err
}

// text returns the recorded bytes. For a nil *excerpt it returns "".
func (e *excerpt) text() string {
	if e == nil {
		return ""
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.kept.String()
}
