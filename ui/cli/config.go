package cli

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

func addConfig(c *cobra.Command) {
	c.Flags().String("config", "", "configuration to read (default: ./"+config.FileName+" if there is one; --config '' reads none)")
}

// readConfig reads the configuration file that --config names; an empty --config means no file. Without the flag,
// readConfig reads the file in the current folder, if there is one, and prints a note. It ignores that file, and prints
// another note, if args[0] is a different spec from the one in the file. If no file is read, the result is empty.
func readConfig(c *cobra.Command, errs io.Writer, args []string) (service.Configuration, error) {
	path := c.Flag("config").Value.String()
	if named := c.Flags().Changed("config"); named && path == "" {
		return service.Configuration{}, nil
	} else if named {
		read, err := config.Load(path)
		return service.Configuration{Config: read, Path: path}, err
	}
	read, err := config.Load(config.FileName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return service.Configuration{}, nil
	case err != nil:
		return service.Configuration{}, err
	case len(args) > 0 && read.Spec != "" && filepath.Clean(args[0]) != filepath.Clean(read.Spec):
		console.PrintNote(errs, "ignoring %s, which is about %s: read it with --config %s", config.FileName, read.Spec, config.FileName)
		return service.Configuration{}, nil
	}
	console.PrintNote(errs, "settings from %s", config.FileName)
	return service.Configuration{Config: read, Path: config.FileName}, nil
}

// configure reads the configuration, except for the demo. Flags override it.
func (f *callFlags) configure(c *cobra.Command, s console.Streams, args []string) error {
	set := c.Flags().Changed
	switch {
	case f.demo && set("config"):
		return errors.New("--demo has its own users and reset: leave out --config")
	case f.demo && f.Credentials.IsSet():
		return service.ErrDemoUsers
	case f.demo:
		return nil
	}
	read, err := readConfig(c, s.Err, args)
	if err != nil {
		return err
	}
	if err := joinCredentials(c.Context(), s, &f.Credentials, &read.Config); err != nil {
		return err
	}
	f.reachBy(read)
	f.boundBy(read, set)
	f.searchBy(read, set)
	return nil
}

// reachBy sets the service's address and the allowed hosts from a configuration.
func (f *callFlags) reachBy(read service.Configuration) {
	f.Config, f.Corrections = read, read.Values
	f.AllowHosts = append(f.AllowHosts, read.Hosts...)
	if f.url == "" {
		f.url = read.URL
		return
	}
	f.URL, f.Config.Config = f.url, read.Started()
}

// boundBy sets the budget, the rate, the timeout and the TLS files from a configuration, except for flags
// that are set.
func (f *callFlags) boundBy(read service.Configuration, set func(flag string) bool) {
	if !set("calls") {
		f.Limits.Calls = read.Limits.Calls
	}
	if !set("time") {
		f.Limits.Time = read.Limits.Time
	}
	f.RequestOptions.Configure(set, read.Config)
}

// searchBy sets the seed, the workers, the tuning and the security tests from a configuration, except for
// flags that are set.
func (f *callFlags) searchBy(read service.Configuration, set func(flag string) bool) {
	if !set("seed") && read.Seed != nil {
		f.Seed = *read.Seed
	}
	if !set("workers") && read.Workers > 0 {
		f.Workers = read.Workers
	}
	if !set("security") {
		f.Security = read.Security
	}
	for _, turn := range read.Tuning {
		if !set(string(turn.Knob)) {
			f.Tuning = f.Tuning.WithChange(turn)
		}
	}
}
