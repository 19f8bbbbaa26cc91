package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"

	"sonde/model"
	"sonde/model/openapi"
	"sonde/model/route"
)

// service is a service that the tools search.
type service struct {
	entry
	version string
	program string // what the build made, "" without a build
	base    string // path of the spec's first server, which follows host and port, "" for none
	ops     map[model.OpID]*model.Operation
	router  *route.Router
}

// newService builds a service in the folder work, and reads its spec.
func newService(ctx context.Context, e entry, work string) (service, error) {
	s := service{entry: e, ops: map[model.OpID]*model.Operation{}}
	spec, err := openapi.Load(ctx, e.Spec, openapi.Options{})
	if err != nil {
		return s, err
	}
	s.router = route.New(spec)
	for _, op := range spec.Operations {
		s.ops[op.ID] = op
	}
	if len(spec.Servers) > 0 {
		if u, err := url.Parse(spec.Servers[0]); err == nil {
			s.base = strings.TrimSuffix(u.EscapedPath(), "/")
		}
	}
	files := []string{e.Spec}
	if b := e.Build; b != nil {
		s.program = filepath.Join(work, e.Name)
		flags, err := flushing(ctx, work)
		if err != nil {
			return s, err
		}
		if err := build(ctx, b.Dir, cmp.Or(b.Package, "."), s.program, append(flags, b.Flags...)...); err != nil {
			return s, err
		}
		files = append(files, s.program)
	}
	text, err := yaml.Marshal(e)
	if err != nil {
		return s, err
	}
	s.version, err = fingerprint(text, files...)
	return s, err
}

// build builds a Go package, given relative to the folder dir, into the file program.
func build(ctx context.Context, dir, pkg, program string, flags ...string) error {
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-o", program}, flags...)
	c := exec.CommandContext(ctx, "go", append(args, pkg)...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s in %s: %w: %s", pkg, dir, err, bytes.TrimSpace(out))
	}
	return nil
}
