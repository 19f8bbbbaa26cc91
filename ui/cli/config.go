package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/console"
	"sonde/ui/draw"

	"github.com/spf13/cobra"
)

func addConfig(c *cobra.Command) {
	c.Flags().String("config", "", "configuration to read (default: ./"+config.FileName+" if there is one; --config '' reads none)")
	c.Flags().String("env", "", "environment of the configuration, such as staging (default: what its top level says)")
	err := c.RegisterFlagCompletionFunc("env", func(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return environmentNames(c), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag does not exist
	}
}

// readConfig reads the configuration file that --config names, for the environment of --env; an empty --config means no
// file. Without the flag, readConfig reads the file in the current folder, if there is one, and prints a note. It ignores
// that file, and prints another note, if args[0] is a different spec from the one in the file. If no file is read, the
// result is empty, and --env is an error.
func readConfig(c *cobra.Command, errs io.Writer, args []string) (service.Configuration, error) {
	path, environment := c.Flag("config").Value.String(), c.Flag("env").Value.String()
	if named := c.Flags().Changed("config"); named && path == "" {
		return service.Configuration{}, needsConfig(environment)
	} else if named {
		read, err := config.LoadEnvironment(path, environment)
		return service.Configuration{Config: read, Path: path}, err
	}
	read, err := config.LoadEnvironment(config.FileName, environment)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return service.Configuration{}, needsConfig(environment)
	case err != nil:
		return service.Configuration{}, err
	case len(args) > 0 && read.Spec != "" && filepath.Clean(args[0]) != filepath.Clean(read.Spec):
		console.PrintNote(errs, "ignoring %s, which is about %s: read it with --config %s", config.FileName, read.Spec, config.FileName)
		return service.Configuration{}, needsConfig(environment)
	}
	console.PrintNote(errs, "settings from %s", config.FileName)
	return service.Configuration{Config: read, Path: config.FileName}, nil
}

// needsConfig returns the error for --env without a configuration, nil without --env.
func needsConfig(environment string) error {
	if environment == "" {
		return nil
	}
	return fmt.Errorf("--env %s names an environment of a configuration, and none is read: name the file with --config", environment)
}

// environmentNames returns the environments of the configuration of an incomplete command line, with their addresses.
func environmentNames(c *cobra.Command) (all []cobra.Completion) {
	read, _ := config.Load(cmp.Or(c.Flag("config").Value.String(), config.FileName)) // the command itself reports errors
	for _, e := range read.Environments {
		all = append(all, cobra.CompletionWithDesc(e.Name, draw.Clean(service.EnvironmentAddress(e))))
	}
	return all
}

// configure reads the configuration, except for the demo. Flags override it.
func (f *callFlags) configure(c *cobra.Command, s console.Streams, args []string) error {
	set := c.Flags().Changed
	switch {
	case f.demo && (set("config") || set("env")):
		return errors.New("--demo has its own users and reset: leave out --config and --env")
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
	noteURL(s, f.url, read)
	f.reachBy(read)
	f.boundBy(read, set)
	f.searchBy(read, set)
	return nil
}

// noteURL prints that --url takes precedence over the address of the environment that --env names.
func noteURL(s console.Streams, url string, read service.Configuration) {
	if url != "" && read.Environment != "" {
		console.PrintNote(s.Err, "--url wins over the url of environment %s: the rest of the environment is used", read.Environment)
	}
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
