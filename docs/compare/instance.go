package main

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"sonde/docs/launch"
)

// instance is a running copy of a service with its own data.
type instance struct {
	at      backend
	users   []user // the users, with the headers from their log-ins
	data    string // the folder with the data of the service
	covered string // the folder of the coverage, "" if the service has none
	env     []string
	fill    *strings.Replacer // replaces placeholders
	run     launch.Service

	mu      sync.Mutex // protects the fields below
	process *launch.Process
	crashes int  // number of times that the service ended by itself
	known   bool // the users have logged in to the copy that a tool has started
}

// backend has the addresses at which a service listens.
type backend struct {
	url      *url.URL
	prefixes map[string]*url.URL // separate addresses, by path prefix
}

// start starts a copy of the service, which writes its output to a file in the folder dir, and logs in
// the users. The caller must call end.
func (s service) start(ctx context.Context, dir string) (*instance, error) {
	i, err := s.prepare(ctx, dir)
	if err != nil {
		return nil, err
	}
	if err = i.launch(ctx); err == nil {
		err = i.logIn(ctx, s)
	}
	if err != nil {
		if i.process != nil {
			i.process.Stop()
		}
		os.RemoveAll(i.data)
		return nil, err
	}
	return i, nil
}

// prepare makes a copy of the service that is not started yet. The caller must call end.
func (s service) prepare(ctx context.Context, dir string) (*instance, error) {
	i := &instance{env: os.Environ()}
	var err error
	if i.data, err = os.MkdirTemp("", "sonde-compare-data-"); err != nil {
		return nil, err
	}
	if err := i.begin(ctx, s, dir); err != nil {
		os.RemoveAll(i.data)
		return nil, err
	}
	return i, nil
}

// begin runs the prepare script of a service and sets how the service is started.
func (i *instance) begin(ctx context.Context, s service, dir string) (err error) {
	if i.fill, err = placeholders(s, i.data); err != nil {
		return err
	}
	if i.at, err = i.backend(s); err != nil {
		return err
	}
	for name, value := range s.Env {
		i.env = append(i.env, name+"="+i.fill.Replace(value))
	}
	if s.Prepare != "" {
		if _, err := i.script(ctx, s.Prepare); err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
	}
	return i.configure(s, filepath.Join(dir, "service.log"))
}

// logIn sets the users of the service, with the headers from their log-ins.
func (i *instance) logIn(ctx context.Context, s service) (err error) {
	for _, u := range s.Users {
		if u.Login != "" {
			if u, err = i.login(ctx, u); err != nil {
				return fmt.Errorf("login of %s: %w", u.Name, err)
			}
		}
		i.users = append(i.users, u)
	}
	return nil
}

// placeholders returns the replacer for the placeholders of a service. The ports in it are free.
func placeholders(s service, data string) (*strings.Replacer, error) {
	const ports = 5
	free, err := launch.FreePorts(ports)
	if err != nil {
		return nil, err
	}
	words := []string{"{data}", data, "{program}", s.program, "{dir}", s.dir, "{port}", strconv.Itoa(free[0])}
	for n, port := range free[1:] {
		words = append(words, fmt.Sprintf("{port%d}", n+2), strconv.Itoa(port))
	}
	return strings.NewReplacer(words...), nil
}

// backend returns the addresses at which the service listens.
func (i *instance) backend(s service) (b backend, err error) {
	b.prefixes = map[string]*url.URL{}
	for prefix, port := range s.Prefixes {
		if b.prefixes[prefix], err = url.Parse("http://127.0.0.1:" + i.fill.Replace(port)); err != nil {
			return b, fmt.Errorf("prefixes: %w", err)
		}
	}
	b.url, err = url.Parse(i.fill.Replace("http://127.0.0.1:{port}"))
	return b, err
}

// configure sets how the service is started: its command, environment and folder, and where its coverage goes if there
// is a build that measures it.
func (i *instance) configure(s service, log string) error {
	i.run = launch.Service{Env: i.env, Dir: i.data, Ready: i.fill.Replace(s.Ready), Log: log, Stop: signals[s.Stop]}
	for _, arg := range s.Run {
		i.run.Run = append(i.run.Run, i.fill.Replace(arg))
	}
	if strings.HasPrefix(i.run.Ready, "/") {
		i.run.Ready = i.at.url.String() + i.run.Ready
	}
	if s.Build != nil {
		i.covered = filepath.Join(i.data, "sonde-coverage")
		if err := os.Mkdir(i.covered, 0o700); err != nil {
			return err
		}
		i.run.Env = append(i.run.Env, "GOCOVERDIR="+i.covered)
	}
	return nil
}

// launch starts the process and waits until it is ready.
func (i *instance) launch(ctx context.Context) (err error) {
	if i.process, err = launch.Start(ctx, i.run); err != nil {
		text, _ := os.ReadFile(i.run.Log) // without a log, err is sufficient
		return fmt.Errorf("%w: %s", err, lastLine(text))
	}
	return nil
}

// revive starts the service again, with its old data, if the service has ended by itself. It is called after a
// request got no answer.
func (i *instance) revive(ctx context.Context) {
	i.mu.Lock()
	defer i.mu.Unlock()
	const crash = 100 * time.Millisecond // maximum time from the end of a connection to the end of the process
	if !i.process.EndsWithin(crash) {
		return
	}
	i.crashes++
	if p, err := launch.Start(ctx, i.run); err == nil {
		i.process = p
	}
}

// login runs the log-in script of a user, and returns the user with the headers that the script printed.
func (i *instance) login(ctx context.Context, u user) (user, error) {
	printed, err := i.script(ctx, u.Login)
	if err != nil {
		return u, err
	}
	return u.addHeaders(printed)
}

// script runs a shell script in the data folder and returns its output.
func (i *instance) script(ctx context.Context, text string) (string, error) {
	c := exec.CommandContext(ctx, "sh", "-euc", i.fill.Replace(text))
	c.Env, c.Dir = i.env, i.data
	var complaints bytes.Buffer
	c.Stderr = &complaints
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, lastLine(complaints.Bytes()))
	}
	return string(out), nil
}

// lastLine returns the last line that is not empty.
func lastLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[bytes.LastIndexByte(text, '\n')+1:]
}

// end stops the copy and removes its data. It returns the coverage, and how often the service ended by
// itself.
func (i *instance) end(ctx context.Context) (c coverage, crashes int, err error) {
	defer os.RemoveAll(i.data)
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.process == nil { // the tool has started and stopped the service
		return c, 0, nil
	}
	i.process.Stop()
	if i.covered != "" {
		c, err = readCoverage(ctx, i.covered)
	}
	return c, i.crashes, err
}
