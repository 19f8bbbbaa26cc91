package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sonde/runner/instrument/probedata"
	"sonde/ui/app/service"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

// addProbes adds the flags for white-box and black-box searches.
func (f *searchFlags) addProbes(c *cobra.Command) {
	fl := c.Flags()
	fl.BoolVar(
		&f.white, "white", false,
		"search white-box: with --demo, build it with probes first, which needs a Go toolchain; what sonde.yaml "+
			"builds is always searched white-box",
	)
	fl.BoolVar(
		&f.BlackBox, "black", false,
		"search black-box although sonde.yaml builds the service or names a driver: coverage is reported, but does not guide the search",
	)
	fl.BoolVar(
		&f.WatchSQL, "sql", false,
		"watch queries of database/sql in the service that sonde.yaml builds: whether they return rows and, with "+
			"SQLite or PostgreSQL, how near they came",
	)
	fl.BoolVar(
		&f.WatchPanics, "panics", false,
		"watch operations that panic for some operands in a service that is searched white-box: indexes, bounds of slices, "+
			"divisors, nil pointers and maps, type assertions",
	)
}

// checkProbes returns an error if the flags of addProbes are invalid.
func (f *searchFlags) checkProbes() error {
	builds := f.Config.BuildsService()
	switch {
	case f.white && f.BlackBox && !f.demo:
		return errors.New("--white and --black exclude each other: use one of them")
	case f.white && !f.demo && !f.Config.Observable():
		return service.ErrNotBuilt
	case f.Sampling.Rows > 0 && (f.demo || !builds || f.BlackBox):
		return errors.New("--rows needs a Go service that Sonde builds, and no --black: add sut: {build: ./cmd/server} to sonde.yaml")
	case f.WatchSQL && (f.demo || !builds):
		return errors.New(
			"--sql needs a Go service that Sonde builds, and the demo has no database: add sut: {build: ./cmd/server} to sonde.yaml",
		)
	case f.WatchPanics && !builds && !(f.demo && f.white):
		return errors.New(
			"--panics needs a Go service that Sonde builds: add sut: {build: ./cmd/server} to sonde.yaml, or use --demo --white",
		)
	case f.BlackBox && !f.Config.Observable() && !(f.demo && f.white):
		return errors.New("--black has no effect: no service is built with probes or has a driver")
	}
	return nil
}

// tellLeft prints the names of up to three files without probes, and the number of the others.
func tellLeft(s console.Streams, left []probedata.SkippedFile) {
	if len(left) == 0 {
		return
	}
	paths := make([]string, len(left))
	for i, skipped := range left {
		paths[i] = filepath.Base(skipped.Path)
	}
	slices.Sort(paths)
	const most = 3
	more := ""
	if len(paths) > most {
		more = fmt.Sprintf(" and %d more", len(paths)-most)
	}
	console.PrintNote(s.Err, "left without probes: %s%s; sonde build says why", strings.Join(paths[:min(most, len(paths))], ", "), more)
}
