package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"sonde/model"
	"sonde/runner"
	"sonde/ui/pane"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newCheck(s streams) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check SPEC",
		Short: "Say what a spec holds and what could not be read of it",
		Long: `Say what a spec holds and what could not be read of it.

With --sut it is said what carries a virtual network around the service that
sonde.yaml starts: docs/network.md. A driver that sonde.yaml names is asked to
start the service, what it knows of its source, and to stop it: docs/driver.md.
SPEC may then be left out where sonde.yaml names it.`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	f.sourceFlags.add(c)
	addConfig(c)
	c.Flags().BoolVar(&f.sut, "sut", false, "say what carries a virtual network around the service, and ask its driver what it knows, too")
	f.trust.add(c)
	c.Flags().StringSliceVar(&f.hosts, "allow-host", nil, "a host besides this machine that may be called")
	return c
}

// checkFlags are the flags of check.
type checkFlags struct {
	sourceFlags
	trust
	sut   bool
	hosts []string
}

func (f *checkFlags) run(c *cobra.Command, s streams, args []string) error {
	if !f.sut {
		return f.check(c, s, args)
	}
	read, err := readConfig(c, s.err, args)
	if err != nil {
		return err
	}
	if !read.Starts() && read.URL == "" {
		return errors.New("sonde.yaml names no service: say sut: {build: ./cmd/server}, sut: {run: [...]}, or a driver, as docs/driver.md has it")
	}
	f.trust.configure(c.Flags().Changed, read.Config)
	f.secure, err = f.trust.open()
	if err != nil {
		return err
	}
	source, err := read.source(args, "")
	if err != nil {
		return err
	}
	spec, err := f.load(c.Context(), s, source)
	if err != nil {
		return err
	}
	network := read.ground().report()
	if read.Driver == "" {
		return f.print(s.out, spec, nil, network)
	}
	plan := settings{config: read, service: read.service("", spec), sending: sending{trust: f.trust}}.plan(spec)
	plan.Users, plan.Reset = nil, nil // nobody calls
	known, err := runner.Acquaint(c.Context(), plan, append(f.hosts, read.Hosts...)...)
	if err != nil {
		return err
	}
	return f.print(s.out, spec, newDriverReport(read.Driver, known), network)
}

func (f *checkFlags) check(c *cobra.Command, s streams, args []string) error {
	for _, flag := range append([]string{"config", "allow-host"}, trustNames...) {
		if c.Flags().Changed(flag) {
			return fmt.Errorf("--%s is about the service: say --sut, too", flag)
		}
	}
	if err := exactly("SPEC")(c, args); err != nil {
		return err
	}
	spec, err := f.load(c.Context(), s, args[0])
	if err != nil {
		return err
	}
	return f.print(s.out, spec, nil, nil)
}

// print prints what was found; the driver and the network may be nil.
func (f *checkFlags) print(w io.Writer, spec *model.Spec, d *driverReport, n *networkReport) error {
	if f.json {
		r := newSpecReport(spec)
		r.Driver, r.Network = d, n
		return printJSON(w, r)
	}
	if err := printCheck(w, spec); err != nil {
		return err
	}
	t := newTable(w)
	d.rows(t)
	n.rows(t)
	return t.flush()
}

// driverReport is what check tells of a driver.
type driverReport struct {
	URL        string `json:"url"`
	Name       string `json:"name"`
	Service    string `json:"service"`
	Targets    int    `json:"targets"`
	Statements int    `json:"statements"`
	Branches   int    `json:"branches"`
	Trouble    string `json:"trouble,omitempty"`
}

func newDriverReport(url string, a runner.Acquaintance) *driverReport {
	statements, branches := a.Known.Whole()
	return &driverReport{URL: url, Name: a.Name, Service: a.Service, Targets: a.Known.Targets, Statements: statements.All, Branches: branches.All, Trouble: a.Odd}
}

// rows print it, if there is a driver.
func (d *driverReport) rows(t table) {
	if d == nil {
		return
	}
	t.row("driver", fmt.Sprintf("%s answers, %s", d.URL, cmp.Or(d.Name, "without a name")))
	t.row("service", "started at "+d.Service+", and stopped")
	t.row("targets", fmt.Sprintf("%s known, %s of them for statements and %s for branches", words.Count(d.Targets), words.Count(d.Statements), words.Count(d.Branches)))
	if d.Trouble != "" {
		t.row("warning", d.Trouble)
	}
}

// specReport is the JSON of check.
type specReport struct {
	Title      string          `json:"title"`
	Version    string          `json:"version"`
	Format     string          `json:"format"`
	Operations []model.OpID    `json:"operations"`
	Servers    []string        `json:"servers"`
	Problems   []problemReport `json:"problems"`
	Driver     *driverReport   `json:"driver,omitempty"`
	Network    *networkReport  `json:"network,omitempty"`
}

type problemReport struct {
	Pointer string `json:"pointer"`
	Line    int    `json:"line,omitempty"`
	Text    string `json:"text"`
}

func newSpecReport(spec *model.Spec) specReport {
	r := specReport{
		Title: spec.Title, Version: spec.Version, Format: spec.Format, Servers: spec.Servers,
		Operations: []model.OpID{}, Problems: []problemReport{},
	}
	for _, op := range spec.Operations {
		r.Operations = append(r.Operations, op.ID)
	}
	for _, p := range spec.Problems {
		r.Problems = append(r.Problems, problemReport(p))
	}
	return r
}

func printCheck(w io.Writer, spec *model.Spec) error {
	_, err := fmt.Fprintf(w, "%s\n%s, %s\n", pane.Clean(titled(spec)+" "+spec.Version), pane.Clean(spec.Format), words.Plural(len(spec.Operations), "operation"))
	if err != nil || len(spec.Problems) == 0 {
		return err
	}
	fmt.Fprintf(w, "%s:\n", words.Plural(len(spec.Problems), "problem"))
	t := newTable(w)
	for _, p := range spec.Problems {
		t.row("  "+place(p), p.Text)
	}
	return t.flush()
}

// titled is a spec's title, or that it has none that can be seen.
func titled(spec *model.Spec) string {
	if strings.TrimSpace(pane.Clean(spec.Title)) == "" {
		return "untitled"
	}
	return spec.Title
}

func place(p model.Problem) string {
	if p.Line == 0 {
		return p.Pointer
	}
	return fmt.Sprintf("line %d %s", p.Line, p.Pointer)
}
