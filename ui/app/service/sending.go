package service

import (
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/target/client"
)

// Credentials has the flags --header and --user. They define an additional user, who is the first in the list of users.
type Credentials struct {
	Headers []string
	Basic   string      // NAME:PASSWORD or NAME
	User    *model.User // the user defined by the flags, nil if there are none
}

// IsSet reports whether one of the flags was given.
func (c *Credentials) IsSet() bool { return len(c.Headers) > 0 || c.Basic != "" }

// ErrDemoUsers is the error for credential flags together with --demo.
var ErrDemoUsers = errors.New("--demo has its own users: leave out --header and --user")

// LiteralWarnings returns a line for each secret that was given literally instead of as ${NAME}.
func (c *Credentials) LiteralWarnings() []string {
	var lines []string
	for _, sent := range c.User.Sends {
		flag, example := "--header "+sent.Name, sent.Name+": ${NAME}"
		if sent.Basic {
			flag, example = "--user", "NAME:${NAME}"
		}
		for _, name := range model.SecretNames(sent.Value) {
			if c.User.Secrets[name] != "" && (!sent.Basic || strings.Contains(c.Basic, ":")) {
				lines = append(lines, fmt.Sprintf("%s: the value stays in memory, and is written down as ${%s}: "+
					"set that variable to repeat the run or to run its tests, or name one of your own, as in %s '%s'",
					flag, name, strings.Fields(flag)[0], example))
			}
		}
	}
	return lines
}

// Flags returns the flags with ${NAME} in place of secrets.
func (c *Credentials) Flags() []string {
	if c.User == nil {
		return nil
	}
	var all []string
	for _, sent := range c.User.Sends {
		if sent.Basic {
			all = append(all, "--user", strings.TrimSuffix(sent.Value, ":${"+config.DefaultPasswordVar+"}"))
			continue
		}
		all = append(all, "--header", sent.Name+": "+sent.Value)
	}
	return all
}

// RedactArgs returns the arguments of a command line without secrets: the flags --header and --user are replaced by
// those that Flags returns.
func (c *Credentials) RedactArgs(args []string) []string {
	var all []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--":
			return slices.Concat(all, c.Flags(), args[i:])
		case name != "--header" && name != "--user":
			all = append(all, args[i])
		case !joined:
			i++ // the value is the next word
		}
	}
	return append(all, c.Flags()...)
}

// RequestOptions says how requests are sent.
type RequestOptions struct {
	Rate    float64       // maximum number of requests per second; 0 means no limit
	Timeout time.Duration // maximum duration of a call; 0 means the default
	TLSOptions
	Credentials
}

// Check returns an error if the flags are invalid.
func (s *RequestOptions) Check() error {
	switch {
	case !(s.Rate >= 0) || math.IsInf(s.Rate, 0):
		return fmt.Errorf("--rate is %v: give requests a second, such as 20 or 0.5, or 0 for no limit", s.Rate)
	case s.Timeout < 0:
		return fmt.Errorf("--timeout is %v: a call needs some time, such as 10s", s.Timeout)
	}
	return nil
}

// Configure sets the values of flags that were not given from a configuration.
func (s *RequestOptions) Configure(set func(flag string) bool, c config.Config) {
	if !set("rate") {
		s.Rate = c.Rate
	}
	if !set("timeout") {
		s.Timeout = c.Timeout
	}
	s.TLSOptions.Configure(set, c)
}

// Flags returns the flags as typed. It leaves out defaults.
func (s *RequestOptions) Flags() []string {
	var all []string
	if s.Rate > 0 {
		all = append(all, "--rate", strconv.FormatFloat(s.Rate, 'g', -1, 64))
	}
	if s.Timeout > 0 {
		all = append(all, "--timeout", s.Timeout.String())
	}
	return slices.Concat(all, s.TLSOptions.Flags(), s.Credentials.Flags())
}

// TLSOptions has the flags for trusted certificates and the client certificate.
type TLSOptions struct {
	Insecure bool
	TLS      model.TLSFiles
}

// Configure sets the values of flags that were not given from a configuration.
func (t *TLSOptions) Configure(set func(flag string) bool, c config.Config) {
	if !set("insecure") {
		t.Insecure = c.Insecure
	}
	if !set("cacert") {
		t.TLS.CACert = c.TLS.CACert
	}
	if !set("cert") && !set("key") {
		t.TLS.Cert, t.TLS.Key = c.TLS.Cert, c.TLS.Key
	}
}

// TLSConfig reads the files. It returns nil for the default configuration.
func (t *TLSOptions) TLSConfig() (*tls.Config, error) {
	if *t == (TLSOptions{}) {
		return nil, nil
	}
	return client.TLSConfig(t.TLS, t.Insecure)
}

// Flags returns the flags as typed.
func (t *TLSOptions) Flags() []string {
	var all []string
	if t.Insecure {
		all = append(all, "--insecure")
	}
	for _, f := range []struct{ name, file string }{{"--cacert", t.TLS.CACert}, {"--cert", t.TLS.Cert}, {"--key", t.TLS.Key}} {
		if f.file != "" {
			all = append(all, f.name, f.file)
		}
	}
	return all
}

// ClientOptions returns the options of a client that may call this machine and hosts.
func (t *TLSOptions) ClientOptions(hosts []string) client.Options {
	return client.Options{AllowHosts: hosts, Insecure: t.Insecure, TLS: t.TLS}
}
