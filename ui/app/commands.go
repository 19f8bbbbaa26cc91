package app

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sonde/export/format"
	"sonde/model"
	"sonde/runner/replay/record"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
	"sonde/ui/app/usecase"
)

// commandTwins returns the command lines that do the same as actions of the app.
type commandTwins struct {
	session  *session
	exporter *exporter
}

func (c commandTwins) all() usecase.Commands {
	return usecase.Commands{
		Read:          c.read,
		Send:          sendCommand,
		Replay:        c.replay,
		List:          c.list,
		Export:        c.export,
		Generate:      c.generate,
		OpenRun:       c.openWith("--run"),
		OpenRecording: c.openWith("--rec"),
		WriteScript:   writeScript,
	}
}

// commandLine joins words to a command line.
func commandLine(words ...string) string {
	for i, word := range words {
		words[i] = command.Quote(word)
	}
	return strings.Join(words, " ")
}

// specArgs returns the arguments of a command that reads the spec.
func (c commandTwins) specArgs() []string {
	source := c.session.options.Source
	if source == service.DemoSource {
		return []string{"--demo"}
	}
	return []string{command.WithoutCredentials(source)}
}

// serviceArgs returns the arguments of a command that reads the spec and calls the service.
func (c commandTwins) serviceArgs() []string {
	o, now := c.session.options, c.session.state()
	words := c.specArgs()
	if o.Source == service.DemoSource {
		return words
	}
	if now.url != "" {
		words = append(words, "--url", command.WithoutCredentials(now.url))
	}
	if now.config.Environment != "" {
		words = append(words, "--env", now.config.Environment)
	}
	if now.config.Path != "" {
		words = append(words, "--config", now.config.Path)
	}
	words = append(words, now.sending.Flags()...)
	for _, host := range o.AllowHosts {
		words = append(words, "--allow-host", host)
	}
	return words
}

func (c commandTwins) read(source string) string {
	if source == service.DemoSource {
		return "sonde --demo --plain"
	}
	return commandLine("sonde", "check", command.WithoutCredentials(source))
}

// sendCommand returns a curl command without secrets, or "" if the request cannot be repeated.
func sendCommand(x model.Exchange) string {
	line, err := format.CurlCommand(record.Masks{}.Exchange(x))
	if err != nil {
		return ""
	}
	return line
}

// replay returns the commands that write a test of a run as a shell script, and run the script.
func (c commandTwins) replay(t model.Test) string {
	tests := []model.Test{t}
	from, ok := c.exporter.run(runOf(tests))
	script, err := format.Named("curl")
	if !ok || err != nil || !from.keeps(tests) {
		return ""
	}
	file := filepath.Join(suite.DefaultFolder, script.TestsFile)
	return exportCommand(runOf(tests), script.Name, "", "", tests) + " && " + script.RunCommand + " " + command.Quote(file)
}

func (c commandTwins) list(s usecase.ListingSettings) string {
	spec := c.session.state().spec
	if s.With != "" || s.Net || spec == nil || s.Analysis == nil {
		return ""
	}
	words := append([]string{"sonde", "seqs"}, c.serviceArgs()...)
	words = append(words, "--rule", "both", "--calls", strconv.Itoa(s.Calls))
	if len(s.Analysis.Operations) < len(spec.Operations) {
		for _, op := range s.Analysis.Operations {
			words = append(words, "--only", string(op.ID))
		}
	}
	return commandLine(words...)
}

func (c commandTwins) export(name, faults, dir string, tests []model.Test) string {
	from, ok := c.exporter.run(runOf(tests))
	if !ok || !from.keeps(tests) {
		return ""
	}
	return exportCommand(runOf(tests), name, faults, dir, tests)
}

func (c commandTwins) generate(request usecase.GenerateRequest) string {
	made, _, err := c.exporter.generator.generation(request)
	if err != nil {
		return ""
	}
	return made.Command()
}

// openWith returns a function that returns the command that opens a folder in the app, by a flag.
func (c commandTwins) openWith(flag string) func(folder string) string {
	return func(folder string) string {
		words := append([]string{"sonde"}, c.serviceArgs()...)
		return commandLine(append(words, flag, folder)...)
	}
}

// writeScript writes a shell script.
func writeScript(path, text string, force bool) error {
	if _, err := os.Lstat(path); err == nil && !force {
		return fmt.Errorf("%q exists: %w", path, fs.ErrExist)
	}
	return paths.WriteFile(path, []byte(text))
}
