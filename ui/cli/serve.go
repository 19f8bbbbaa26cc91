package cli

import (
	"bytes"
	"errors"
	"fmt"

	"sonde/export"
	"sonde/model"
	"sonde/runner/search/oracle"
	"sonde/ui/app/live"
	"sonde/ui/app/runreport"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/version"
	"sonde/ui/console"
	"sonde/ui/report"

	"github.com/spf13/cobra"
)

// serveFlags are the flags for the page of a running search.
type serveFlags struct {
	addr  string
	write bool
}

func (f *serveFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(
		&f.addr, "serve", "",
		"serve the page of the search at this address while it runs, such as 127.0.0.1:0 for a free port; others can only read it",
	)
	fl.BoolVar(&f.write, "serve-write", false, "with --serve, let the page with the token of the printed address steer the search")
}

// check returns an error if the flags are invalid.
func (f *serveFlags) check() error {
	if f.addr == "" {
		if f.write {
			return errors.New("--serve-write needs --serve ADDR")
		}
		return nil
	}
	if err := live.CheckAddr(f.addr); err != nil {
		return fmt.Errorf("--serve: %w", err)
	}
	return nil
}

// start serves the page of a run, unless the flags name no address. The returned function ends the server.
func (f *serveFlags) start(s console.Streams, run *searchrun.Run, spec *model.Spec, about export.Report) (end func(), err error) {
	if f.addr == "" {
		return func() {}, nil
	}
	about.Command, about.Release = run.Command(), version.Release
	for _, op := range spec.Operations {
		about.Operations = append(about.Operations, op.ID)
	}
	rules := map[string]string{}
	for _, o := range oracle.AllOracles() {
		rules[o.Name] = o.About
	}
	server, err := live.Start(run, live.Options{Addr: f.addr, Write: f.write, Page: func(last model.Snapshot) ([]byte, error) {
		page := runreport.Live(about, spec, last)
		page.Name, page.Rules = run.Folder(), rules
		var b bytes.Buffer
		err := report.WriteRunHTML(&b, page)
		return b.Bytes(), err
	}})
	if err != nil {
		return nil, fmt.Errorf("--serve: %w", err)
	}
	console.PrintNote(s.Err, "the page of the search: %s", server.URL())
	if server.IsOpen() {
		console.PrintNote(s.Err, "other machines can read it: --serve 127.0.0.1:0 is for this one only")
	}
	return func() { _ = server.Close() }, nil
}
