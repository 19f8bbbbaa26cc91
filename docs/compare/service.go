package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sonde/model/openapi"
	"sonde/model/route"
)

// service is a service that the tools search.
type service struct {
	name    string
	version string
	command []string // starts a copy of the service, which prints its URL first
	spec    string   // file
	config  string   // Sonde's configuration: reset and users
	toml    string   // Schemathesis's configuration with users, "" for none
	router  *route.Router
}

// newService builds the service with this name in the folder work, and reads its spec.
func newService(ctx context.Context, name, work string) (service, error) {
	root, err := os.Getwd()
	if err != nil {
		return service{}, err
	}
	s := service{name: name}
	source, program := filepath.Join(root, "runner", "testdata", "services", name), filepath.Join(work, name)
	s.command = []string{program, "--addr", "127.0.0.1:0"}
	s.spec, s.config = filepath.Join(source, "openapi.yaml"), filepath.Join(source, "sonde.yaml")
	if name == "demo" {
		source = filepath.Join(root, "assets", "demo", "server")
		s.command = append(s.command, "--reveal")
		s.spec = filepath.Join(root, "assets", "demo", "openapi.json")
		s.config, s.toml = filepath.Join(work, "sonde.yaml"), filepath.Join(work, "schemathesis.toml")
		if err := writeDemo(s, filepath.Join(work, "users.yaml")); err != nil {
			return s, err
		}
	}
	spec, err := openapi.Load(ctx, s.spec, openapi.Options{})
	if err != nil {
		return s, fmt.Errorf("-services: %q is not a service: %w", name, err)
	}
	s.router = route.New(spec)
	if err := build(ctx, source, program); err != nil {
		return s, err
	}
	s.version, err = fingerprint(program, s.spec, s.config)
	return s, err
}

// users are the users of the demo in the format of the Web Fuzzing Commons, which both tools read.
// Schemathesis tries them in turn until an operation accepts one. The user with the most
// permissions is therefore the first.
const users = `auth:
  - name: admin
    fixedHeaders: [{name: Authorization, value: Bearer demo-admin}]
  - name: alice
    fixedHeaders: [{name: Authorization, value: Bearer demo-alice}]
  - name: bob
    fixedHeaders: [{name: Authorization, value: Bearer demo-bob}]
`

// writeDemo writes both tools' configuration of the demo. The list of peers makes Schemathesis
// check whether a user can read what belongs to another user.
func writeDemo(s service, common string) error {
	toml := fmt.Sprintf("[auth.wfc]\npath = %q\npeers = [\"admin\", \"alice\", \"bob\"]\n", common)
	return errors.Join(
		os.WriteFile(common, []byte(users), 0o600),
		os.WriteFile(s.toml, []byte(toml), 0o600),
		os.WriteFile(s.config, []byte("reset: POST /__reset\n"+users), 0o600),
	)
}

// build builds the Go package in the folder source into the file program.
func build(ctx context.Context, source, program string) error {
	if out, err := exec.CommandContext(
		ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", program, source,
	).CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w: %s", source, err, bytes.TrimSpace(out))
	}
	return nil
}

// start runs a new copy of the service until ctx is done, and returns the copy's URL. The caller must
// cancel ctx and then call gone, which waits for the end of the copy.
func (s service) start(ctx context.Context) (at *url.URL, gone func(), err error) {
	c := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := c.Start(); err != nil {
		return nil, nil, err
	}
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		return nil, nil, fmt.Errorf("the service did not print its URL: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		io.Copy(io.Discard, lines)
		c.Wait() // the error only says that the service was killed
		close(ended)
	}()
	at, err = url.Parse(strings.TrimSpace(first))
	return at, func() { <-ended }, err
}
