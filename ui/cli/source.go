package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/config"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/specfile"
	"sonde/ui/console"
	"sonde/ui/words"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sourceFlags are the common flags of commands that read a spec.
type sourceFlags struct {
	specfile.Loader
	json     bool
	tag      string
	only     []string // scopes, for commands with --only
	values   string
	matching string
}

func (f *sourceFlags) add(c *cobra.Command) {
	addLoading(c.Flags(), &f.Loader)
	c.Flags().BoolVar(&f.json, "json", false, "print JSON for programs")
}

// addLoading adds the flags that control how a spec is read.
func addLoading(fl *pflag.FlagSet, l *specfile.Loader) {
	fl.BoolVar(&l.FollowRemoteRefs, "remote-refs", false, "follow $ref to other hosts")
	l.MaxBytes = openapi.DefaultMaxBytes
	fl.Var((*byteSize)(&l.MaxBytes), "max-size", "most bytes that a spec may have with the files that it refers to")
	fl.StringVar(&l.Observed, "observed", "", "run, recording or HAR file whose traffic shows what values refer to")
}

// byteSize is a number of bytes, written as "64MiB".
type byteSize int64

func (b *byteSize) String() string { return strings.ReplaceAll(humanize.IBytes(uint64(*b)), " ", "") }

func (b *byteSize) Type() string { return "size" }

func (b *byteSize) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n < 1 || n > math.MaxInt64 {
		return errors.New("give a size such as 200MiB")
	}
	*b = byteSize(n)
	return nil
}

func (f *sourceFlags) addCase(c *cobra.Command) {
	f.add(c)
	c.Flags().StringVar(&f.tag, "tag", "", "only operations with this tag; --tag '' selects those without a tag")
	completes(c, tagNames, "tag")
	c.Flags().StringVar(
		&f.values, "values", string(match.DefaultMode.Values),
		"depth at which values are read from schemas: paper (items of arrays only), shallow (also properties of "+
			"objects) or deep (all levels)",
	)
	c.Flags().StringVar(
		&f.matching, "match", string(match.DefaultMode.Match),
		"when values are the same: by name, or by qualified name, which includes their resource",
	)
}

// mode returns the mode for reading and matching values.
func (f *sourceFlags) mode() (match.Mode, error) {
	values, err := match.ParseReading(f.values)
	if err != nil {
		return match.Mode{}, fmt.Errorf("--values: %w", err)
	}
	matching, err := match.ParseMatching(f.matching)
	if err != nil {
		return match.Mode{}, fmt.Errorf("--match: %w", err)
	}
	return match.Mode{Values: values, Match: matching}, nil
}

// loadAnalysis reads a spec and analyses the operations that the flags select.
func (f *sourceFlags) loadAnalysis(c *cobra.Command, s console.Streams, source string) (*analysis.Analysis, error) {
	spec, err := f.loadSpec(c, s, source)
	if err != nil {
		return nil, err
	}
	a, err := f.analyze(c, spec)
	if err != nil || len(spec.Corrections) == 0 {
		return a, err
	}
	for _, u := range a.Matcher().UnfittingCorrections() {
		console.PrintNote(s.Err, "no operation has the value %q that %s corrects: sonde groups --why lists all", u.Value, config.FileName)
	}
	return a, nil
}

// loadSpec reads a spec. It applies the corrections of values in the configuration of the current folder, unless the
// configuration is for another spec.
func (f *sourceFlags) loadSpec(c *cobra.Command, s console.Streams, source string) (*model.Spec, error) {
	read, err := config.Load(config.FileName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		console.PrintNote(s.Err, "values in %s are not used: %v", config.FileName, err)
	case read.Spec == "" || filepath.Clean(source) == filepath.Clean(read.Spec):
		f.Corrections = read.Values
	}
	if n := len(f.Corrections); n > 0 {
		console.PrintNote(s.Err, "%s of values from %s", words.Plural(n, "correction"), config.FileName)
	}
	spec, err := f.Load(c.Context(), s, source)
	if err == nil && f.Observed != "" {
		console.PrintNote(
			s.Err, "%s of values from the traffic in %s",
			words.Plural(len(spec.Corrections)-len(f.Corrections), "correction"), f.Observed,
		)
	}
	return spec, err
}

// analyze analyses the operations that the flags select: the operations of a tag, the operations of scopes, or all.
func (f *sourceFlags) analyze(c *cobra.Command, spec *model.Spec) (*analysis.Analysis, error) {
	way, err := f.mode()
	if err != nil {
		return nil, err
	}
	o := analysis.Options{Mode: way}
	if c.Flags().Changed("tag") {
		o.Operations = spec.OperationsByTag(f.tag)
		if len(o.Operations) == 0 {
			return nil, noTag(f.tag, spec)
		}
	}
	return scoped(analysis.Analyze(spec, o), f.only)
}

// addOnly adds the flag that selects operations by scopes.
func (f *sourceFlags) addOnly(c *cobra.Command) {
	c.Flags().StringArrayVar(
		&f.only, "only", nil,
		`only these operations: "GET /orders", tag:NAME, group:N or cluster:NAME (repeat for several)`,
	)
	completes(c, scopeNames, "only")
	c.MarkFlagsMutuallyExclusive("only", "tag")
}

// scoped returns the analysis of the operations in the scopes, or a itself if there are no scopes.
func scoped(a *analysis.Analysis, scopes []string) (*analysis.Analysis, error) {
	if len(scopes) == 0 {
		return a, nil
	}
	in, err := inScopes(a, scopes)
	if err != nil {
		return nil, err
	}
	var kept []*model.Operation
	for _, op := range a.Operations {
		if in[op.ID] {
			kept = append(kept, op)
		}
	}
	return a.Subset(kept), nil
}

// inScopes returns the operations in the scopes of --only.
func inScopes(a *analysis.Analysis, scopes []string) (map[model.OpID]bool, error) {
	in := map[model.OpID]bool{}
	for _, scope := range scopes {
		ops, err := searchrun.ScopeOperations(a, scope)
		if err != nil {
			return nil, fmt.Errorf("--only %q: %w", scope, err)
		}
		for _, op := range ops {
			in[op] = true
		}
	}
	return in, nil
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
	return fmt.Errorf("no operation has the tag %q: the tags are %s", tag, strings.Join(have, ", "))
}
