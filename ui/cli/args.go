package cli

import (
	"net/url"
	"os"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/config"
)

// args are those of sonde search that repeat the run.
func (s settings) args() []string {
	var line []string
	if s.service.name == demoSource {
		line = append(line, "--demo")
	} else {
		line = append(line, redacted(s.source))
	}
	add := func(on bool, words ...string) {
		if on {
			line = append(line, words...)
		}
	}
	add(s.base != "", "--url", s.base)
	add(s.config.path != "" || s.passedOver(), "--config", s.config.path)
	add(s.refs, "--remote-refs")
	add(s.service.name == demoSource && s.service.build != nil, "--white")
	add(s.black, "--black")
	add(s.sql, "--sql")
	line = append(line, s.net.args()...)
	add(s.limits.Calls > 0, "--calls", strconv.Itoa(s.limits.Calls))
	add(s.limits.Time > 0, "--time", s.limits.Time.String())
	add(s.workers > 1, "--workers", strconv.Itoa(s.workers))
	line = append(line, s.sending.flags()...)
	add(true, "--seed", strconv.FormatUint(s.seed, 10))
	line = append(line, knobArgs(s.tuning)...)
	line = append(line, samplingArgs(s.sampling)...)
	add(s.minimise != model.DefaultMinimise, "--minimise", strconv.FormatFloat(s.minimise, 'g', -1, 64))
	for _, o := range s.oracles {
		line = append(line, "--oracle", o)
	}
	line = append(line, s.wishes.args()...)
	return append(line, s.hostArgs()...)
}

// passedOver reports whether a configuration lies here that the run does without.
func (s settings) passedOver() bool {
	_, err := os.Stat(config.FileName)
	return err == nil && s.config.path == "" && s.service.name != demoSource
}

// hostArgs are the arguments for whom to call.
func (s settings) hostArgs() (line []string) {
	for _, h := range s.hosts {
		line = append(line, "--allow-host", h)
	}
	return line
}

// knobArgs are the arguments for a tuning.
func knobArgs(t model.Tuning) []string {
	share := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	line := []string{"--smart", share(t.Smart), "--random", share(t.Random), "--focus", share(t.Focus)}
	usual := model.DefaultTuning()
	if t.Population != usual.Population {
		line = append(line, "--population", strconv.Itoa(t.Population))
	}
	if t.Mutations != usual.Mutations {
		line = append(line, "--mutations", strconv.Itoa(t.Mutations))
	}
	return line
}

// command repeats the run from a shell.
func (s settings) command() string { return commandLine(s.args()) }

// commandLine is a search with these arguments.
func commandLine(args []string) string {
	line := "sonde search"
	for _, word := range args {
		line += " " + quote(word)
	}
	return line
}

// redacted takes the log-in out of a spec's URL.
func redacted(source string) string {
	u, err := url.Parse(source)
	if err != nil || u.User == nil {
		return source
	}
	u.User = nil
	return u.String()
}

// quote protects a word from the shell where it needs it.
func quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
