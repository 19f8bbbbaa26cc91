package searchrun

import (
	"os"
	"strconv"

	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/ui/app/command"
	"sonde/ui/app/service"
)

// CommandArgs returns the arguments of sonde search that repeat the run.
func (s Settings) CommandArgs() []string {
	var line []string
	switch {
	case s.Service.Name == service.DemoSource:
		line = append(line, "--demo")
	case s.Config.SpecFromDriver: // the command asks the driver again
	default:
		line = append(line, command.WithoutCredentials(s.Source))
	}
	add := func(on bool, words ...string) {
		if on {
			line = append(line, words...)
		}
	}
	add(s.URL != "", "--url", s.URL)
	add(s.Config.Environment != "", "--env", s.Config.Environment)
	add(s.Config.Path != "" || s.passedOver(), "--config", s.Config.Path)
	add(s.RemoteRefs, "--remote-refs")
	add(s.MaxBytes > 0 && s.MaxBytes != openapi.DefaultMaxBytes, "--max-size", strconv.FormatInt(s.MaxBytes, 10))
	add(s.Service.Name == service.DemoSource && s.Service.Builder != nil, "--white")
	add(s.BlackBox, "--black")
	add(s.WatchSQL, "--sql")
	add(s.WatchPanics, "--panics")
	line = append(line, s.Network.Args()...)
	add(s.Limits.Calls > 0, "--calls", strconv.Itoa(s.Limits.Calls))
	add(s.Limits.Time > 0, "--time", s.Limits.Time.String())
	add(s.Workers > 1, "--workers", strconv.Itoa(s.Workers))
	line = append(line, s.Islands.args()...)
	line = append(line, s.RequestOptions.Flags()...)
	add(true, "--seed", strconv.FormatUint(s.Seed, 10))
	line = append(line, knobArgs(s.Tuning)...)
	line = append(line, samplingArgs(s.Sampling)...)
	line = append(line, sizeArgs(s.Sizes)...)
	add(s.Minimise != model.DefaultMinimise, "--minimise", strconv.FormatFloat(s.Minimise, 'g', -1, 64))
	for _, o := range s.Oracles {
		line = append(line, "--oracle", o)
	}
	add(s.Security, "--security")
	add(s.Config.Security && !s.Security, "--security=false")
	line = append(line, s.Directives.Flags()...)
	return append(line, s.HostArgs()...)
}

// passedOver reports whether the current folder has a configuration that the run does not use. It reports false for a
// search of the demo.
func (s Settings) passedOver() bool {
	_, err := os.Stat(config.FileName)
	return err == nil && s.Config.Path == "" && s.Service.Name != service.DemoSource
}

// HostArgs returns the arguments that allow hosts.
func (s Settings) HostArgs() (line []string) {
	for _, h := range s.AllowHosts {
		line = append(line, "--allow-host", h)
	}
	return line
}

// command returns the command that repeats the run.
func (s Settings) command() string { return command.SearchCommand(s.CommandArgs()) }
