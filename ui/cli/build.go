package cli

import (
	"fmt"
	"io"
	"time"

	"sonde/runner/probe"
	"sonde/ui/pane"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newBuild(s streams) *cobra.Command {
	var o probe.Options
	asJSON := false
	c := &cobra.Command{
		Use:   "build PKG",
		Short: "Build a Go service with probes, by which a run can see its statements and branches",
		Long: `Build a Go service's main package with probes, by which a run can see its
statements and branches and how near it came to them. The service's source,
go.mod and go.sum stay as they are. What the probes mean is written beside the
binary, as BIN.probes.json.`,
		Example: `  sonde build ./cmd/server
  sonde build -o server.probed --cover ./internal/... ./cmd/server`,
		Args: exactly("PKG"),
		RunE: func(c *cobra.Command, args []string) error {
			o.Package = args[0]
			r, err := probe.Build(c.Context(), o)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(s.out, newBuildReport(r))
			}
			return printBuild(s.out, newBuildReport(r))
		},
	}
	f := c.Flags()
	f.StringVarP(&o.Out, "output", "o", "", "the binary to write (default: the folder's name with .probed)")
	f.StringArrayVar(&o.Cover, "cover", nil, "packages to cover, such as ./internal/... or example.com/shop/api (default: the main module's)")
	f.StringVar(&o.Tags, "tags", "", "build tags, separated by commas")
	f.BoolVar(&o.Vendor, "vendor", false, "take dependencies from the vendor folder")
	f.BoolVar(&o.SQL, "sql", false, "watch the queries of database/sql: whether they return rows and, with SQLite, how near they came")
	f.BoolVar(&asJSON, "json", false, "print JSON for programs")
	return c
}

// buildReport is the JSON of build.
type buildReport struct {
	Binary   string          `json:"binary"`
	Manifest string          `json:"manifest"`
	Package  string          `json:"package"`
	Go       string          `json:"go"`
	Files    int             `json:"files"`
	Targets  int             `json:"targets"`
	Kinds    []kindReport    `json:"kinds"`
	Skipped  []probe.Skipped `json:"skipped"`
	Seconds  float64         `json:"seconds"`
}

type kindReport struct {
	Kind    probe.Kind `json:"kind"`
	Targets int        `json:"targets"`
}

func newBuildReport(r *probe.Result) buildReport {
	m := r.Manifest
	report := buildReport{
		Binary: r.Binary, Manifest: probe.ManifestPath(r.Binary), Package: m.Package, Go: m.Go, Files: len(m.Files), Targets: len(m.Targets),
		Skipped: append([]probe.Skipped{}, m.Skipped...), Seconds: r.Took.Seconds(),
	}
	count := m.Count()
	for _, k := range probe.Kinds {
		report.Kinds = append(report.Kinds, kindReport{k, count[k]})
	}
	return report
}

func printBuild(w io.Writer, r buildReport) error {
	took := time.Duration(r.Seconds * float64(time.Second)).Round(100 * time.Millisecond)
	fmt.Fprintf(w, "%s: built with probes in %s\n%s, %s\n", pane.Clean(r.Binary), took, words.Plural(r.Files, "file"), words.Plural(r.Targets, "target"))
	t := newTable(w)
	for _, k := range r.Kinds {
		if k.Targets > 0 {
			t.row("  "+string(k.Kind), k.Targets)
		}
	}
	if err := t.flush(); err != nil || len(r.Skipped) == 0 {
		return err
	}
	fmt.Fprintln(w, "left plain:")
	t = newTable(w)
	for _, skipped := range r.Skipped {
		t.row("  "+skipped.Path, skipped.Why)
	}
	return t.flush()
}
