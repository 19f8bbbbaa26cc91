package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"time"

	"sonde/assets/demo"
	"sonde/runner/instrument/probe"
	"sonde/runner/instrument/probedata"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newBuild(s console.Streams) *cobra.Command {
	var o probe.Options
	asJSON, ofDemo := false, false
	c := &cobra.Command{
		Use:   "build PKG, or build --demo",
		Short: "Build a Go service with probes, so that a search sees its statements and branches",
		Long: `Build a Go service's main package with probes. They report to a search which
statements and branches a test reached, and how near it came to the others. The
service's source, go.mod and go.sum do not change. The file BIN.probes.json beside
the binary describes the probes.

With --net the service also gets a virtual network. Started by Sonde, it reaches
only the hosts that Sonde simulates, and only Sonde reaches it, whichever libraries
and ports it uses. Started by other means, it uses the real network.`,
		Example: `  sonde build ./cmd/server
  sonde build --net ./cmd/server
  sonde build -o server.probed --cover ./internal/... ./cmd/server`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := buildNamed(c, args, o, ofDemo)
			if err != nil {
				return err
			}
			if asJSON {
				return console.WriteJSON(s.Out, newBuildReport(r))
			}
			return printBuild(s.Out, newBuildReport(r))
		},
	}
	f := c.Flags()
	f.StringVarP(&o.Out, "output", "o", "", "the binary to write (default: the folder's name with .probed)")
	f.StringArrayVar(
		&o.Cover, "cover", nil,
		"packages to cover, such as ./internal/... or example.com/shop/api (default: the main module's)",
	)
	f.StringVar(&o.Tags, "tags", "", "build tags, separated by commas")
	f.BoolVar(&o.Vendor, "vendor", false, "take dependencies from the vendor folder")
	f.BoolVar(
		&o.SQL, "sql", false, "watch queries of database/sql: whether they return rows and, with SQLite or PostgreSQL, how near they came",
	)
	f.BoolVar(
		&o.Rows, "rows", false, "let exported tests insert rows into SQLite and PostgreSQL databases that the service uses by database/sql",
	)
	f.BoolVar(
		&o.Panics, "panics", false,
		"watch operations that panic for some operands: indexes, bounds of slices, divisors, nil pointers and maps, type assertions",
	)
	f.BoolVar(&o.Net, "net", false, "give the service a virtual network: its dials, lookups and listens stay on this machine")
	f.BoolVar(&ofDemo, "demo", false, "build the built-in demo")
	f.BoolVar(&asJSON, "json", false, "print JSON for programs")
	return c
}

// buildNamed builds the package that the only argument names or, if ofDemo is set, the demo.
func buildNamed(c *cobra.Command, args []string, o probe.Options, ofDemo bool) (*probe.Result, error) {
	if !ofDemo {
		if err := exactly("PKG")(c, args); err != nil {
			return nil, err
		}
		o.Package = args[0]
		return probe.Build(c.Context(), o)
	}
	if err := exactly()(c, args); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sonde-build-")
	if err != nil {
		return nil, fmt.Errorf("cannot create a folder for the demo's source: %w", err)
	}
	defer os.RemoveAll(dir)
	source, err := service.DemoFolder(dir)
	if err != nil {
		return nil, err
	}
	o.Dir, o.Package, o.Out = source, demo.ServerPackage, paths.Absolute(cmp.Or(o.Out, "demo.probed"))
	return probe.Build(c.Context(), o)
}

// buildReport is the JSON of sonde build.
type buildReport struct {
	Binary   string                  `json:"binary"`
	Manifest string                  `json:"manifest"`
	Package  string                  `json:"package"`
	Go       string                  `json:"go"`
	Net      bool                    `json:"net"`
	Files    int                     `json:"files"`
	Targets  int                     `json:"targets"`
	Kinds    []kindReport            `json:"kinds"`
	Skipped  []probedata.SkippedFile `json:"skipped"`
	Seconds  float64                 `json:"seconds"`
}

type kindReport struct {
	Kind    probedata.TargetKind `json:"kind"`
	Targets int                  `json:"targets"`
}

func newBuildReport(r *probe.Result) buildReport {
	m := r.Manifest
	report := buildReport{
		Binary:   r.Binary,
		Manifest: probedata.ManifestPath(r.Binary),
		Package:  m.Package,
		Go:       m.Go,
		Net:      m.Net,
		Files:    len(m.Files),
		Targets:  len(m.Targets),
		Skipped:  append([]probedata.SkippedFile{}, m.Skipped...),
		Seconds:  r.Took.Seconds(),
	}
	count := m.CountByKind()
	for _, k := range probedata.Kinds {
		report.Kinds = append(report.Kinds, kindReport{k, count[k]})
	}
	return report
}

func printBuild(w io.Writer, r buildReport) error {
	took := time.Duration(r.Seconds * float64(time.Second)).Round(100 * time.Millisecond)
	what := "probes"
	if r.Net {
		what = "probes and a virtual network"
	}
	fmt.Fprintf(
		w, "%s: built with %s in %s\n%s, %s\n", draw.Clean(r.Binary), what, took, words.Plural(r.Files, "file"),
		words.Plural(r.Targets, "target"),
	)
	t := console.NewTable(w)
	for _, k := range r.Kinds {
		if k.Targets > 0 {
			t.Row("  "+string(k.Kind), k.Targets)
		}
	}
	if err := t.Flush(); err != nil || len(r.Skipped) == 0 {
		return err
	}
	fmt.Fprintln(w, "left without probes:")
	t = console.NewTable(w)
	for _, skipped := range r.Skipped {
		t.Row("  "+skipped.Path, skipped.Why)
	}
	return t.Flush()
}
