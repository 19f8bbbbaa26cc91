package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"sonde/model/codec"
	"sonde/ui/app/command"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"

	"github.com/spf13/cobra"
)

// settingsOf returns the settings of a run, from its header and its arguments.
func settingsOf(run codec.StoredRun) usecase.SearchSettings {
	f := searchFlagsOf(run)
	return usecase.SearchSettings{
		Limits: run.Limits, Tuning: run.Tuning, Seed: run.Seed, Sampling: run.Sampling, Sizes: run.Sizes, Net: run.Net != nil,
		Workers: max(1, f.Workers), Minimise: f.Minimise, Security: f.Security,
	}
}

// searchFlagsOf returns the flags of sonde search with which a run was started. If one of them is unknown, because
// another release made the run, all flags have their defaults.
func searchFlagsOf(run codec.StoredRun) *searchFlags {
	f := newSearchFlags()
	c := &cobra.Command{}
	f.add(c)
	if err := c.ParseFlags(run.Args); err != nil { // flags of another release: all flags have their defaults
		f = newSearchFlags()
	}
	return f
}

// ofRun returns the operand for the spec of the run in a folder. It returns none for the demo.
func ofRun(dir string, run codec.StoredRun) ([]string, error) {
	switch source := specOf(run); source {
	case service.DemoSource:
		return nil, nil
	case "":
		return nil, fmt.Errorf("run %q has no path of its spec: name the spec, as in sonde SPEC --run %s", dir, command.Quote(dir))
	default:
		return []string{source}, nil
	}
}

// specOf returns the path or URL of a run's spec. It returns service.DemoSource for the demo's spec, and ""
// if the run has no spec.
func specOf(run codec.StoredRun) string {
	switch source := run.Spec; {
	case source == "" || source == "-":
		return ""
	case source == service.DemoSource || strings.Contains(source, "://") || filepath.IsAbs(source):
		return source
	default:
		return filepath.Join(run.Folder, source)
	}
}
