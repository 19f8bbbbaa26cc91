package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/search"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/results"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newCheck(s console.Streams) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check [SPEC]",
		Short: "Summarise a spec, and list the problems in it",
		Long: `Summarise a spec, and list the problems in it.

With --sut, also say how the service that sonde.yaml starts would get a virtual network:
built in, by a network namespace, or by a proxy (docs/network.md). If sonde.yaml names a
driver, the driver starts the service, describes its source, and stops it; the spec and
the users that it gives are shown, too (docs/driver.md).

SPEC may be left out if sonde.yaml names it.`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	f.sourceFlags.add(c)
	addConfig(c)
	c.Flags().BoolVar(&f.sut, "sut", false, "also report how the service would get a virtual network, and what its driver reports")
	addTrust(c, &f.TLSOptions)
	c.Flags().StringSliceVar(&f.hosts, "allow-host", nil, "a host besides this machine that may be called")
	return c
}

// checkFlags are the flags of sonde check.
type checkFlags struct {
	sourceFlags
	service.TLSOptions
	sut   bool
	hosts []string
}

func (f *checkFlags) run(c *cobra.Command, s console.Streams, args []string) error {
	if !f.sut {
		return f.check(c, s, args)
	}
	read, err := readConfig(c, s.Err, args)
	if err != nil {
		return err
	}
	if !read.StartsService() && read.URL == "" {
		return errors.New(
			"there is no service to start: sonde init SPEC drafts a sonde.yaml; " +
				"in it, set sut: {build: ./cmd/server}, sut: {run: [...]} or a driver (docs/driver.md)",
		)
	}
	f.TLSOptions.Configure(c.Flags().Changed, read.Config)
	f.FetchTLS, err = f.TLSOptions.TLSConfig()
	if err != nil {
		return err
	}
	hosts := slices.Concat(f.hosts, read.Hosts)
	gift, err := askDriver(c.Context(), &read, &f.Loader, args, f.TLSOptions, hosts)
	if err != nil {
		return err
	}
	source, err := read.SpecSource(args, "")
	if err != nil {
		return err
	}
	spec, err := f.Load(c.Context(), s, source)
	if err != nil {
		return err
	}
	network := newNetworkReport(read.NetworkBackend())
	if read.Driver == "" {
		return f.print(s.Out, spec, checkParts{network: network, environments: newEnvironmentReports(read.Environments)})
	}
	settings := searchrun.Settings{
		Config:         read,
		Service:        read.ServiceAt("", spec),
		RequestOptions: service.RequestOptions{TLSOptions: f.TLSOptions},
	}
	plan := settings.Plan(spec)
	plan.Users, plan.Reset = nil, nil // no operation is called
	known, err := search.DescribeDriver(c.Context(), plan, hosts...)
	if err != nil {
		return err
	}
	return f.print(s.Out, spec, checkParts{
		driver: newDriverReport(read.Driver, known, gift), network: network,
		environments: newEnvironmentReports(read.Environments),
	})
}

func (f *checkFlags) check(c *cobra.Command, s console.Streams, args []string) error {
	for _, flag := range append([]string{"config", "env", "allow-host"}, trustNames...) {
		if c.Flags().Changed(flag) {
			return fmt.Errorf("--%s has no effect without --sut: add it", flag)
		}
	}
	args, err := withSpec(c, s, args, "SPEC")
	if err != nil {
		return err
	}
	spec, err := f.Load(c.Context(), s, args[0])
	if err != nil {
		return err
	}
	return f.print(s.Out, spec, checkParts{environments: newEnvironmentReports(configuredEnvironments(args[0]))})
}

// configuredEnvironments returns the environments of the configuration of the current folder. It returns nil if there is
// no such file, if it cannot be read, or if it is about another spec.
func configuredEnvironments(source string) []config.Environment {
	read, err := config.Load(config.FileName)
	if err != nil || read.Spec != "" && filepath.Clean(read.Spec) != filepath.Clean(source) {
		return nil
	}
	return read.Environments
}

// checkParts are the parts of the report besides the spec. A part is nil if there is none, or the user did not ask for
// it.
type checkParts struct {
	driver       *driverReport
	network      *networkReport
	environments environmentReports
}

// print prints the result of the check.
func (f *checkFlags) print(w io.Writer, spec *model.Spec, p checkParts) error {
	if f.json {
		r := newSpecReport(spec)
		r.Driver, r.Network, r.Environments = p.driver, p.network, p.environments
		return console.WriteJSON(w, r)
	}
	if err := results.PrintCheck(w, spec); err != nil {
		return err
	}
	t := console.NewTable(w)
	p.driver.rows(t)
	p.network.rows(t)
	p.environments.rows(t)
	return t.Flush()
}

// environmentReport is the part of the report about an environment of the configuration.
type environmentReport struct {
	Name       string   `json:"name"`
	URL        string   `json:"url,omitempty"`
	Starts     bool     `json:"starts,omitempty"` // Sonde starts the service
	Users      []string `json:"users"`
	Production bool     `json:"production,omitempty"`
}

type environmentReports []environmentReport

func newEnvironmentReports(all []config.Environment) (reports environmentReports) {
	for _, e := range all {
		reports = append(reports, environmentReport{
			Name: e.Name, URL: e.URL, Starts: e.Starts, Users: append([]string{}, e.Users...), Production: e.Production,
		})
	}
	return reports
}

// rows adds a row for each environment to a table.
func (all environmentReports) rows(t console.Table) {
	for _, e := range all {
		about := service.EnvironmentAddress(config.Environment{URL: e.URL, Starts: e.Starts})
		if e.Production {
			about += ", production"
		}
		if n := len(e.Users); n > 0 {
			about += ", " + words.Plural(n, "user") + ": " + strings.Join(e.Users, ", ")
		}
		t.Row("environment", draw.Clean(e.Name), draw.Clean(about))
	}
}

// driverReport is the part of the report about a driver.
type driverReport struct {
	URL        string `json:"url"`
	Name       string `json:"name"`
	Service    string `json:"service"`
	Targets    int    `json:"targets"`
	Statements int    `json:"statements"`
	Branches   int    `json:"branches"`
	// Spec is the URL of the specification, and Users are the names of the users. Both come from the driver.
	Spec    string   `json:"spec,omitempty"`
	Users   []string `json:"users,omitempty"`
	Trouble string   `json:"trouble,omitempty"`
}

func newDriverReport(url string, a search.DriverDescription, gift driverGift) *driverReport {
	statements, branches := a.Coverage.Totals()
	return &driverReport{
		URL:        url,
		Name:       a.Name,
		Service:    a.Service,
		Targets:    a.Coverage.Targets,
		Statements: statements.All,
		Branches:   branches.All,
		Spec:       gift.specURL,
		Users:      gift.users,
		Trouble:    a.Problem,
	}
}

// rows adds the report to a table. A nil report adds nothing.
func (d *driverReport) rows(t console.Table) {
	if d == nil {
		return
	}
	t.Row("driver", fmt.Sprintf("%s answers, %s", d.URL, cmp.Or(d.Name, "without a name")))
	t.Row("service", "started at "+d.Service+", and stopped")
	t.Row(
		"targets",
		fmt.Sprintf(
			"%s known, %s of them for statements and %s for branches", words.Count(d.Targets),
			words.Count(d.Statements), words.Count(d.Branches),
		),
	)
	if d.Spec != "" {
		t.Row("spec", "of the driver, at "+d.Spec)
	}
	if len(d.Users) > 0 {
		t.Row("users", "of the driver: "+strings.Join(d.Users, ", "))
	}
	if d.Trouble != "" {
		t.Row("warning", d.Trouble)
	}
}

// specReport is the JSON of sonde check.
type specReport struct {
	Title      string          `json:"title"`
	Version    string          `json:"version"`
	Format     string          `json:"format"`
	Operations []model.OpID    `json:"operations"`
	Webhooks   []webhookReport `json:"webhooks,omitempty"` // what the service sends
	Servers    []string        `json:"servers"`
	Problems   []problemReport `json:"problems"`
	Driver     *driverReport   `json:"driver,omitempty"`
	Network    *networkReport  `json:"network,omitempty"`
	// Environments are those of the configuration, beginning with its top level.
	Environments environmentReports `json:"environments,omitempty"`
}

// webhookReport is a webhook in the report.
type webhookReport struct {
	Name   string `json:"name"`
	Method string `json:"method"`
	Line   int    `json:"line,omitempty"`
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
	for _, w := range spec.Webhooks {
		r.Webhooks = append(r.Webhooks, webhookReport{w.Name, w.Request.Method, w.Request.Line})
	}
	for _, p := range spec.Problems {
		r.Problems = append(r.Problems, problemReport(p))
	}
	return r
}
