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

// addProbes adds the flags that say whether the search sees into the service.
func (f *searchFlags) addProbes(c *cobra.Command) {
	fl := c.Flags()
	fl.BoolVar(
		&f.white, "white", false,
		"see into the service: with --demo, build it with probes first, which takes a Go toolchain; what sonde.yaml builds is seen into anyway",
	)
	fl.BoolVar(
		&f.BlackBox, "black", false,
		"do not let the search see into the service that sonde.yaml builds, or has a driver for: its coverage is only told",
	)
	fl.BoolVar(
		&f.WatchSQL, "sql", false,
		"watch the queries of database/sql in the service that sonde.yaml builds: whether they return rows and, with SQLite, how near they came",
	)
}

// checkProbes says what is wrong with those flags.
func (f *searchFlags) checkProbes() error {
	builds := f.Config.Builds()
	switch {
	case f.white && f.BlackBox && !f.demo:
		return errors.New("--white lets the search see into the service and --black does not: say one of them")
	case f.white && !f.demo && !f.Config.Observable():
		return service.ErrNotBuilt
	case f.WatchSQL && (f.demo || !builds):
		return errors.New(
			"--sql needs a Go service that Sonde builds, and the demo has no database: say sut: {build: ./cmd/server} in sonde.yaml",
		)
	case f.BlackBox && !f.Config.Observable() && !(f.demo && f.white):
		return errors.New("--black has nothing to leave out: no service is built with probes or has a driver")
	}
	return nil
}

// tellLeft tells of files that could not be given probes.
func tellLeft(s console.Streams, left []probedata.Skipped) {
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
	console.Note(s.Err, "left without probes: %s%s; sonde build says why", strings.Join(paths[:min(most, len(paths))], ", "), more)
}
