package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"sonde/runner/testdata/services/serve"
)

// registry asks whois servers.
type registry struct {
	server string // the server that is asked first
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
}

// patience limits the time of a connection, mostBytes the length of an answer.
const (
	patience  = 400 * time.Millisecond
	mostBytes = 100 << 10
)

// talk is a connection with a server, by lines.
type talk struct {
	net.Conn
	lines *bufio.Scanner
}

func (r *registry) open(ctx context.Context, server string) (*talk, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := r.dial(ctx, "tcp", server)
	if err != nil {
		return nil, unreachable(err)
	}
	conn.SetDeadline(time.Now().Add(patience))
	return &talk{conn, bufio.NewScanner(io.LimitReader(conn, mostBytes))}, nil
}

// say sends a line. It ignores errors, because hear then gets no answer.
func (t *talk) say(line string) { fmt.Fprintf(t, "%s\r\n", line) }

// hear returns the next line, or an error if none comes.
func (t *talk) hear() (string, error) {
	if t.lines.Scan() {
		return t.lines.Text(), nil
	}
	if err := t.lines.Err(); err != nil {
		return "", unreachable(err)
	}
	return "", io.EOF
}

// ask returns all lines of an answer.
func (r *registry) ask(ctx context.Context, server, question string) ([]string, error) {
	t, err := r.open(ctx, server)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	t.say(question)
	var all []string
	for {
		line, err := t.hear()
		switch {
		case errors.Is(err, io.EOF) && len(all) == 0:
			return nil, strange("%s says nothing", server)
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, strings.TrimSpace(line))
	}
}

// strange returns the error for a server whose answer is not understood.
func strange(format string, args ...any) error {
	return serve.Refuse(http.StatusFailedDependency, format, args...)
}

// unreachable returns the error for a connection that failed.
func unreachable(err error) error {
	var name *net.DNSError
	var late net.Error
	why := "cannot be reached"
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return strange("the server does not end its line")
	case errors.As(err, &name) && name.IsNotFound:
		why = "is not known"
	case errors.As(err, &late) && late.Timeout():
		why = "does not answer in time"
	case errors.Is(err, syscall.ECONNREFUSED):
		why = "does not listen"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		why = "hangs up"
	}
	return serve.Refuse(http.StatusServiceUnavailable, "the server %s", why)
}
