package main

import (
	"bufio"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"
)

// pool has the idle connections to a host.
type pool struct {
	addr string
	idle chan *session
}

// session is a connection on which the log-in has succeeded.
type session struct {
	net.Conn
	lines *bufio.Reader
}

// servePooled stores values at a host. It opens one connection at its start, and keeps idle connections alive.
func servePooled(mux *http.ServeMux, hosts []string) error {
	p := &pool{addr: hosts[0], idle: make(chan *session, 4)}
	first, err := p.get()
	if err != nil {
		return err
	}
	p.idle <- first
	go p.keepAlive()
	mux.HandleFunc("GET /values/{key}", p.handle(func(r *http.Request) []string { return []string{"GET " + r.PathValue("key")} }))
	mux.HandleFunc("PUT /values/{key}", p.handle(func(r *http.Request) []string {
		return []string{"SET " + r.PathValue("key") + " " + r.URL.Query().Get("value"), "GET " + r.PathValue("key")}
	}))
	mux.HandleFunc("GET /values", p.handle(func(*http.Request) []string { return []string{"COUNT"} }))
	return nil
}

// handle returns a handler that sends lines to the host, and answers with the host's answers.
func (p *pool) handle(lines func(r *http.Request) []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s, err := p.get()
		if err != nil {
			fail(w, err)
			return
		}
		var answers []string
		for _, line := range lines(r) {
			answer, err := s.ask(line)
			if err != nil {
				s.Close()
				fail(w, err)
				return
			}
			answers = append(answers, answer)
		}
		p.idle <- s
		reply(w, http.StatusOK, map[string]any{"answers": answers})
	}
}

// keepAlive sends a message on an idle connection ten times a second.
func (p *pool) keepAlive() {
	for ; ; time.Sleep(100 * time.Millisecond) {
		select {
		case s := <-p.idle:
			if answer, err := s.ask("PING"); err != nil || answer != "PONG" {
				log.Printf("PING is answered by %q: %v", answer, err)
				s.Close()
				continue
			}
			p.idle <- s
		default:
		}
	}
}

// get returns an idle session, or a new one.
func (p *pool) get() (*session, error) {
	select {
	case s := <-p.idle:
		return s, nil
	default:
	}
	c, err := net.DialTimeout("tcp", p.addr, time.Second)
	if err != nil {
		return nil, err
	}
	s := &session{Conn: c, lines: bufio.NewReader(c)}
	c.SetDeadline(time.Now().Add(5 * time.Second))
	if greeting, err := s.lines.ReadString('\n'); err != nil || !strings.HasPrefix(greeting, "READY") {
		return nil, fmt.Errorf("the host greets by %q: %v", greeting, err)
	}
	if answer, err := s.ask("LOGIN shop sesame-1234"); err != nil || answer != "WELCOME" {
		return nil, fmt.Errorf("the log-in is answered by %q: %v", answer, err)
	}
	return s, nil
}

// ask sends a line and returns the line that the host answers.
func (s *session) ask(line string) (string, error) {
	s.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := fmt.Fprintf(s, "%s\n", line); err != nil {
		return "", err
	}
	answer, err := s.lines.ReadString('\n')
	return strings.TrimSuffix(answer, "\n"), err
}
