package service

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/ui/app/command"
)

// ForeignConfig is a configuration outside the current folder that a run refers to. Sonde would start the
// commands in it, and it may come from another person.
type ForeignConfig struct {
	Run    string // the run's folder, as given by the user
	Path   string // absolute path of the configuration
	Config Configuration
}

// IsOutside reports whether the configuration is in another folder than the given one.
func (f ForeignConfig) IsOutside(here string) bool {
	return f.Config.Path != "" && filepath.Dir(f.Path) != here
}

// Description returns lines that list what Sonde would do because of the configuration.
func (f ForeignConfig) Description() []string {
	dir := filepath.Dir(f.Path)
	all := []string{fmt.Sprintf("run %q reads %q, which is outside this folder. It makes Sonde", f.Run, f.Path)}
	add := func(what string, argv []string, at string) {
		if len(argv) > 0 {
			all = append(all, fmt.Sprintf("  %s %s   (in %q)", what, command.PrintableCommand(argv), at))
		}
	}
	if s := f.Config.Service; s != nil {
		at := dir
		if s.Dir != "" {
			at = s.Dir
		}
		if s.Build != nil {
			add("build", []string{s.Build.Package}, at)
		}
		add("start", s.Command, at)
	}
	if r := f.Config.Reset; r != nil {
		add("reset by", r.Command, dir)
	}
	if f.Config.URL != "" {
		all = append(all, "  call "+model.Printable(f.Config.URL, command.MaxShownBytes))
	}
	if len(f.Config.Hosts) > 0 {
		all = append(all, "  allow calls to "+model.Printable(strings.Join(f.Config.Hosts, ", "), command.MaxShownBytes))
	}
	return all
}

// RecordedCommands returns lines that list the commands of a recording which Sonde would run to play its tests. It
// returns nil if the service was recorded in the folder with the given path (here) or below it, or if there are no
// commands.
func RecordedCommands(dir string, rec model.Recording, here string) (all []string) {
	service, reset := rec.Service, rec.Reset
	at := ""
	if service != nil {
		at = service.Dir
	}
	if within, err := filepath.Rel(here, at); filepath.IsAbs(at) && err == nil && filepath.IsLocal(within) {
		return nil
	}
	if service != nil && len(service.Command) > 0 {
		all = append(all, fmt.Sprintf("  start %s   (in %q)", command.PrintableCommand(service.Command), at))
	}
	if service != nil && service.Build != nil {
		all = append(all, fmt.Sprintf("  build %s   (in %q)", command.PrintableCommand([]string{service.Build.Package}), at))
	}
	if reset != nil && len(reset.Command) > 0 {
		all = append(all, fmt.Sprintf("  reset by %s", command.PrintableCommand(reset.Command)))
	}
	if len(all) > 0 {
		all = append([]string{fmt.Sprintf("recording %q was made outside this folder. To try its tests, Sonde would", dir)}, all...)
	}
	return all
}

// IsRemoteSource reports whether a spec is given as a URL on another machine.
func IsRemoteSource(source string) bool {
	u, err := url.Parse(source)
	return err == nil && u.Host != "" && !client.IsLoopback(u)
}
