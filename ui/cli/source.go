package cli

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"

	"github.com/spf13/cobra"
)

// sourceFlags are the flags of every command that reads a spec.
type sourceFlags struct {
	remoteRefs bool
	json       bool
	tag        string
	values     string
	matching   string
	secure     *tls.Config // to fetch a spec with; nil is the usual way
	stdin      []byte      // what was read of it; nil before
}

func (f *sourceFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.remoteRefs, "remote-refs", false, "follow $ref to other hosts")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON for programs")
}

func (f *sourceFlags) addCase(c *cobra.Command) {
	f.add(c)
	c.Flags().StringVar(&f.tag, "tag", "", "only the operations with this tag; --tag '' are those without one")
	completes(c, tagNames, "tag")
	c.Flags().StringVar(&f.values, "values", string(match.Usual.Values), "how schemas name values: paper (items of arrays alone), shallow (also properties of objects) or deep (all that is inside)")
	c.Flags().StringVar(&f.matching, "match", string(match.Usual.Match), "which values are the same: by name, or qualified by what they belong to")
}

// load reads a spec.
func (f *sourceFlags) load(ctx context.Context, s streams, source string) (*model.Spec, error) {
	if source == "-" {
		return f.standardInput(ctx, s)
	}
	return openapi.Load(ctx, source, openapi.Options{RemoteRefs: f.remoteRefs, TLS: f.secure})
}

// standardInput reads a spec that can be read only once, and keeps it, for the
// app can be asked to read it again.
func (f *sourceFlags) standardInput(ctx context.Context, s streams) (*model.Spec, error) {
	var kept bytes.Buffer
	in := io.Reader(bytes.NewReader(f.stdin))
	if f.stdin == nil {
		in = io.TeeReader(s.in, &kept)
	}
	spec, err := openapi.Load(ctx, "-", openapi.Options{RemoteRefs: f.remoteRefs, TLS: f.secure, Stdin: in})
	if f.stdin == nil && err == nil {
		f.stdin = kept.Bytes()
	}
	return spec, err
}

// way is how the flags have values read and matched.
func (f *sourceFlags) way() (match.Way, error) {
	values, err := match.ParseReading(f.values)
	if err != nil {
		return match.Way{}, fmt.Errorf("--values: %w", err)
	}
	matching, err := match.ParseMatching(f.matching)
	if err != nil {
		return match.Way{}, fmt.Errorf("--match: %w", err)
	}
	return match.Way{Values: values, Match: matching}, nil
}

// table returns the values of the case that the flags ask for: the operations
// of one tag, or all of them.
func (f *sourceFlags) table(c *cobra.Command, spec *model.Spec) (*match.Table, error) {
	_, table, err := f.matched(c, spec)
	return table, err
}

// matched is table with the matcher, which knows the whole spec.
func (f *sourceFlags) matched(c *cobra.Command, spec *model.Spec) (*match.Matcher, *match.Table, error) {
	way, err := f.way()
	if err != nil {
		return nil, nil, err
	}
	ops := spec.Operations
	if c.Flags().Changed("tag") {
		ops = spec.Tagged(f.tag)
		if len(ops) == 0 {
			return nil, nil, noTag(f.tag, spec)
		}
	}
	matcher := match.New(spec.Operations, way)
	return matcher, matcher.Table(ops), nil
}

func noTag(tag string, spec *model.Spec) error {
	var have []string
	for _, t := range spec.Tags() {
		if t != "" {
			have = append(have, t)
		}
	}
	if len(have) == 0 {
		return fmt.Errorf("no operation has the tag %q: the spec has no tags", tag)
	}
	return fmt.Errorf("no operation has the tag %q: there are %s", tag, strings.Join(have, ", "))
}
