package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"sonde/model"
	"sonde/model/config"

	"github.com/spf13/cobra"
)

// configured is what a configuration says, and the file that it came from: ""
// where there is none.
type configured struct {
	config.Config
	path string
}

// sees reports whether a search can see into the service.
func (c configured) sees() bool { return c.builds() || c.Driver != "" }

// builds reports whether the service is built with probes.
func (c configured) builds() bool { return c.Service != nil && c.Service.Build != nil }

// starts reports whether Sonde itself starts the service.
func (c configured) starts() bool { return c.Service != nil && c.Driver == "" }

func addConfig(c *cobra.Command) {
	c.Flags().String("config", "", "configuration to read (default: ./"+config.FileName+" if there is one; --config '' reads none)")
}

// readConfig reads the configuration that was named, or the one that lies here
// unless it is about another spec than the one that was named. It says which.
func readConfig(c *cobra.Command, errs io.Writer, args []string) (configured, error) {
	path := c.Flag("config").Value.String()
	if named := c.Flags().Changed("config"); named && path == "" {
		return configured{}, nil
	} else if named {
		read, err := config.Load(path)
		return configured{read, path}, err
	}
	read, err := config.Load(config.FileName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return configured{}, nil
	case err != nil:
		return configured{}, err
	case len(args) > 0 && read.Spec != "" && filepath.Clean(args[0]) != filepath.Clean(read.Spec):
		tell(errs, "%s is about %s: it is left out; read it with --config %s", config.FileName, read.Spec, config.FileName)
		return configured{}, nil
	}
	tell(errs, "settings from %s", config.FileName)
	return configured{read, config.FileName}, nil
}

// configure reads the configuration. Flags win over it.
func (f *callFlags) configure(c *cobra.Command, s streams, args []string) error {
	set := c.Flags().Changed
	switch {
	case f.demo && set("config"):
		return errors.New("--demo has its own users and reset: leave out --config")
	case f.demo && f.credentials.given():
		return errDemoUsers
	case f.demo:
		return nil
	}
	read, err := readConfig(c, s.err, args)
	if err != nil {
		return err
	}
	if err := f.credentials.join(c.Context(), s, &read.Config); err != nil {
		return err
	}
	f.reachBy(read)
	f.boundBy(read, set)
	f.searchBy(read, set)
	return nil
}

// reachBy takes from a configuration where the service is, and whom to call.
func (f *callFlags) reachBy(read configured) {
	f.config = read
	f.hosts = append(f.hosts, read.Hosts...)
	if f.url == "" {
		f.url = read.URL
		return
	}
	f.base, f.config.Config = f.url, read.Started()
}

// boundBy takes from a configuration how much may be sent, and how fast.
func (f *callFlags) boundBy(read configured, set func(flag string) bool) {
	if !set("calls") {
		f.limits.Calls = read.Limits.Calls
	}
	if !set("time") {
		f.limits.Time = read.Limits.Time
	}
	f.sending.configure(set, read.Config)
}

// searchBy takes from a configuration how to search.
func (f *callFlags) searchBy(read configured, set func(flag string) bool) {
	if !set("seed") && read.Seed != nil {
		f.seed = *read.Seed
	}
	if !set("workers") && read.Workers > 0 {
		f.workers = read.Workers
	}
	for _, turn := range read.Tuning {
		if !set(string(turn.Knob)) {
			f.tuning = f.tuning.With(turn)
		}
	}
}

// source is the spec that was named, or the configuration's, or where services
// tend to give it.
func (c configured) source(args []string, url string) (string, error) {
	switch {
	case len(args) == 0 && c.Spec != "":
		return c.Spec, nil
	case len(args) == 0 && c.Starts():
		return "", fmt.Errorf("no spec: name it, or say spec in %s; a service that is yet to start cannot be asked", c.path)
	}
	return specSource(args, url), nil
}

// service returns the service at a URL as the configuration has it.
func (c configured) service(base string, spec *model.Spec) service {
	if base == "" && c.Starts() {
		base = "http://127.0.0.1:" + model.PortHere
	}
	s := serviceAt(base, spec)
	s.users, s.reset, s.owners = c.Users, c.Reset, c.Owners
	if c.Driver != "" {
		s.driver = &model.Driver{URL: c.Driver, Run: c.Service, Path: s.path, Blind: true}
		return s
	}
	s.start, s.build = unprobed(c.Service), buildingOf(c.Service, s.url)
	return s
}

// scoped leaves of a spec what the configuration wants called.
func (c configured) scoped(spec *model.Spec) (*model.Spec, error) {
	less := c.Scope.Apply(spec)
	if len(less.Operations) == 0 && len(spec.Operations) > 0 {
		return nil, fmt.Errorf("include and exclude of %q leave no operation of %d", c.path, len(spec.Operations))
	}
	return less, nil
}
