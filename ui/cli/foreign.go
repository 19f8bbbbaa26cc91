package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"sonde/model"
	"sonde/runner/client"
)

// foreign is a configuration outside the current folder that the folder of a run names: it
// may be somebody else's, and says which commands Sonde starts.
type foreign struct {
	run    string // the run's folder, as it was named
	path   string // of the configuration, from the root
	config configured
}

// lies reports whether the configuration is not the one of a folder.
func (f foreign) lies(here string) bool {
	return f.config.path != "" && filepath.Dir(f.path) != here
}

// lines say what the configuration makes Sonde do.
func (f foreign) lines() []string {
	dir := filepath.Dir(f.path)
	all := []string{fmt.Sprintf("run %q reads %q, which is outside this folder. It makes Sonde", f.run, f.path)}
	add := func(what string, command []string, at string) {
		if len(command) > 0 {
			all = append(all, fmt.Sprintf("  %s %s   (in %q)", what, quoted(command), at))
		}
	}
	if s := f.config.Service; s != nil {
		at := dir
		if s.Dir != "" {
			at = s.Dir
		}
		if s.Build != nil {
			add("build", []string{s.Build.Package}, at)
		}
		add("start", s.Command, at)
	}
	if r := f.config.Reset; r != nil {
		add("reset by", r.Command, dir)
	}
	if f.config.URL != "" {
		all = append(all, "  call "+model.Printable(f.config.URL, mostShown))
	}
	if len(f.config.Hosts) > 0 {
		all = append(all, "  call, if need be, "+model.Printable(strings.Join(f.config.Hosts, ", "), mostShown))
	}
	return all
}

// mostShown is how much of a command is shown in a line.
const mostShown = 2000

// quoted is a command as a shell reads it, safe to print.
func quoted(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = quote(word)
	}
	return model.Printable(strings.Join(words, " "), mostShown)
}

// errUnconfirmed is the error of what nobody confirmed.
var errUnconfirmed = errors.New("this comes from outside the current folder: check it, then add --yes")

// confirm shows lines and asks for consent. Where there is no terminal, only yes is consent.
func confirm(s streams, lines []string, yes bool) error {
	for _, line := range lines {
		tell(s.err, "%s", line)
	}
	if yes {
		return nil
	}
	in, ok := s.in.(*os.File)
	if !ok || !isTerminal(in) {
		return errUnconfirmed
	}
	return ask(s.err, in)
}

// recordedCommands say what a recording makes Sonde start to try its tests: nothing if it
// was recorded in a folder, or in one within it.
func recordedCommands(dir string, rec model.Recording, here string) (all []string) {
	service, reset := rec.Service, rec.Reset
	at := ""
	if service != nil {
		at = service.Dir
	}
	if within, err := filepath.Rel(here, at); filepath.IsAbs(at) && err == nil && filepath.IsLocal(within) {
		return nil
	}
	if service != nil && len(service.Command) > 0 {
		all = append(all, fmt.Sprintf("  start %s   (in %q)", quoted(service.Command), at))
	}
	if service != nil && service.Build != nil {
		all = append(all, fmt.Sprintf("  build %s   (in %q)", quoted([]string{service.Build.Package}), at))
	}
	if reset != nil && len(reset.Command) > 0 {
		all = append(all, fmt.Sprintf("  reset by %s", quoted(reset.Command)))
	}
	if len(all) > 0 {
		all = append([]string{fmt.Sprintf("recording %q was made outside this folder. To try its tests, Sonde would", dir)}, all...)
	}
	return all
}

// ask asks whether to go on.
func ask(w io.Writer, in io.Reader) error {
	fmt.Fprint(w, "Continue? [y/N] ")
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("the question was not answered: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errUnconfirmed
}

// elsewhere reports whether a spec is on another machine.
func elsewhere(source string) bool {
	u, err := url.Parse(source)
	return err == nil && u.Host != "" && !client.Loopback(u)
}
