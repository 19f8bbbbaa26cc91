package cli

import (
	"context"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/lab/mutate"
	"sonde/ui/app/command"
	"sonde/ui/app/generation"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/survivors"
	"sonde/ui/console"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// killFlags are the flags of sonde mutate for the search for tests that notice survivors.
type killFlags struct {
	folder     string // folder for the new tests, "" for no search
	candidates int
	force      bool
}

func (f *killFlags) add(fl *pflag.FlagSet) {
	fl.StringVar(
		&f.folder, "kill", "",
		"folder for new tests: of other exchanges, and with other values, that notice changes which survived",
	)
	fl.IntVar(&f.candidates, "kill-tests", 200, "number of tests that --kill tries")
	fl.BoolVar(&f.force, "force", false, "overwrite existing files in the folder of --kill")
}

func (f *killFlags) isOn() bool { return f.folder != "" }

// check returns an error if a flag is invalid, or if the folder has tests that must not be replaced.
func (f *killFlags) check() error {
	switch {
	case !f.isOn():
		return nil
	case f.candidates < 1:
		return fmt.Errorf("--kill-tests is %d: it is at least 1", f.candidates)
	case f.force:
		return nil
	}
	return generation.CheckFolder(f.folder)
}

// search searches for tests that notice survivors, and writes these tests. A survivor is a mutant that the tests in
// the folder tests do not notice.
func (f *killFlags) search(
	c *cobra.Command, s console.Streams, tests string, a *mutate.Analysis, log *mutate.Log,
) (*survivors.Result, error) {
	search := survivors.Search{
		Tests:         tests,
		Plan:          a.Plan,
		MaxCandidates: f.candidates,
		Reaches:       a.Reaches,
		Note:          func(line string) { console.PrintNote(s.Err, "%s", line) },
	}
	search.Recording, search.Spec = recordingOf(c.Context(), s, tests)
	for _, r := range a.Results(log) {
		if r.Status == mutate.Survived {
			search.Mutants = append(search.Mutants, r.Mutant)
		}
	}
	found, err := search.Run(c.Context())
	if err == nil && len(found.Tests) > 0 {
		found.Files, err = found.Write(f.folder, sameCommand(c.Flags()), f.force)
	}
	return &found, err
}

// recordingOf returns the recording of the tests in a folder, and its spec. If one of them cannot be read, it prints a
// note and returns nil for both.
func recordingOf(ctx context.Context, s console.Streams, tests string) (*model.Recording, *model.Spec) {
	rec, spec, err := generation.OpenSource(tests, func(source string) (*model.Spec, error) {
		if source == service.DemoSource {
			return service.LoadDemo(ctx)
		}
		l := specfile.Loader{MaxBytes: openapi.DefaultMaxBytes}
		return l.Load(ctx, s, source)
	})
	if err != nil {
		console.PrintNote(s.Err, "no tests of other exchanges: %v", err)
		return nil, nil
	}
	return &rec, spec
}

// sameCommand returns a sonde mutate command that repeats this one: with the flags that the user has set, apart from
// --json, and with --force, so that it overwrites the new tests.
func sameCommand(flags *pflag.FlagSet) string {
	line := []string{"sonde", "mutate"}
	add := func(name, value string) { line = append(line, "--"+name, command.Quote(value)) }
	flags.Visit(func(f *pflag.Flag) {
		list, isList := f.Value.(pflag.SliceValue)
		switch {
		case f.Name == "force", f.Name == "json":
		case isList:
			for _, value := range list.GetSlice() {
				add(f.Name, value)
			}
		case f.Value.Type() == "bool":
			line = append(line, "--"+f.Name+"="+f.Value.String())
		default:
			add(f.Name, f.Value.String())
		}
	})
	return strings.Join(append(line, "--force"), " ")
}
