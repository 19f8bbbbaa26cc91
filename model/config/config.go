// Package config reads and writes sonde.yaml. This file configures the address of the service or how to start the
// service, its users, and the settings of a search. The package also reads files of stubs and of studies, and
// converts flags and forms to users. Users are written in the format of the Web Fuzzing Commons (auth and
// authTemplate), so Sonde can also read configuration files in that format.
//
// An unknown key is an error that names the line of the key. Secrets are written as "${NAME}". The package does not
// replace such a reference by the value of the variable. It replaces a literal secret by a reference with a generated
// name, and stores the value in model.User.Secrets.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sonde/model"
)

// FileName is the default name of the configuration file.
const FileName = "sonde.yaml"

// Config is the content of a configuration file. Fields whose keys are not in the file are zero.
type Config struct {
	// Spec is the URL or the path of a spec. Load makes a path that is relative to the file relative to the folder in
	// which Sonde runs.
	Spec string
	// URL is the address of the service. With a Service it may contain model.PortPlaceholder.
	URL     string
	Hosts   []string // hosts that may be called, in addition to this machine
	Service *model.Service
	// Driver is the URL of a driver that starts the service. If it is set, Service starts the driver; a nil
	// Service means that the driver is already running.
	Driver string
	Reset  *model.Reset
	Users  []model.User
	// Headers are sent with each request to the service, unless the request or its user sets the same header. Their
	// values may refer to variables of the process environment.
	Headers []model.Credential
	// Environment is the name of the environment that was chosen, "" for the top level of the file. The other fields
	// have what it says. Production reports whether calls that write need the user's consent.
	Environment string
	Production  bool
	// Variables are the variables of the file and of its environment, with no other of these variables left in their
	// values. They are not secret.
	Variables map[string]string
	// Environments are all environments of the file, in its order, after the top level. It is nil if the file has none.
	Environments []Environment
	Limits       model.Limits
	// Rate is the maximum number of requests a second, and Timeout the time limit of a call; 0 means the
	// default.
	Rate     float64
	Timeout  time.Duration
	Insecure bool           // accept any certificate
	TLS      model.TLSFiles // the files for TLS with the service
	Seed     *uint64
	Tuning   []model.TuningChange
	Scope    OperationScope
	// Oracles and Owners have the form of those in model.Plan.
	Oracles []string
	Owners  []model.OwnedResource
	// Security turns security tests on, and Restricted says which operations only some users may call.
	Security   bool
	Restricted []RestrictedScope
	// Net is the virtual network around the service.
	Net Network
	// Values are corrections of values; see [model.ValueCorrection].
	Values  []model.ValueCorrection
	Workers int // number of tests that are played at the same time; 0 means the default
	// CI has the settings of sonde ci.
	CI CI
}

// ApplyTuning returns a copy of a tuning with the changes that the file makes.
func (c Config) ApplyTuning(t model.Tuning) model.Tuning {
	for _, turn := range c.Tuning {
		t = t.WithChange(turn)
	}
	return t
}

// Load reads a file. Relative paths in the file are relative to the file's folder. The error is of one line
// and names the file. It wraps fs.ErrNotExist if there is no file.
func Load(path string) (Config, error) { return LoadEnvironment(path, "") }

// LoadWithEnv is like Load, but takes the values of variables from env instead of the process environment.
func LoadWithEnv(path string, env func(string) (string, bool)) (Config, error) {
	return load(path, "", env)
}

// LoadEnvironment is like Load, with what the file says of an environment. "" and DefaultEnvironment are the top level
// of the file.
func LoadEnvironment(path, environment string) (Config, error) {
	return load(path, environment, os.LookupEnv)
}

func load(path, environment string, env func(string) (string, bool)) (Config, error) {
	data, err := contents("configuration", path, "write one with sonde init")
	if err != nil {
		return Config{}, err
	}
	c, err := ParseEnvironment(data, environment, env)
	if err != nil {
		return Config{}, fmt.Errorf("configuration %q: %w", path, err)
	}
	c.startFrom(filepath.Dir(path))
	return c, nil
}

// contents reads a file. It reads at most one byte more than the maximum size, so that parse can refuse a larger file.
// kind is what errors call the file. If there is no file, the error ends with the advice in instead.
func contents(kind, path, instead string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no %s %q: %s (%w)", kind, path, instead, fs.ErrNotExist)
		}
		return nil, fmt.Errorf("%s %q cannot be read: %w", kind, path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s %q cannot be read: %w", kind, path, err)
	}
	return data, nil
}

// startFrom makes relative paths relative to a folder.
func (c *Config) startFrom(folder string) {
	in := func(path string) string {
		if path == "" || strings.Contains(path, "://") || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(folder, path)
	}
	c.Spec = in(c.Spec)
	for _, path := range c.TLS.Paths() {
		*path = in(*path)
	}
	c.Net.startFrom(in)
	c.CI.Baseline = in(c.CI.Baseline)
	if c.Service != nil && !filepath.IsAbs(c.Service.Dir) {
		c.Service.Dir = filepath.Join(folder, c.Service.Dir)
		if c.Service.Dir == "." {
			c.Service.Dir = ""
		}
	}
}

// Parse parses the text of a configuration file. It does not change paths. In spec, url and allow-host it replaces
// variables by their values in env. It does not replace variables in secrets.
func Parse(data []byte, env func(string) (string, bool)) (Config, error) {
	return ParseEnvironment(data, "", env)
}

// ParseEnvironment is like Parse, with what the text says of an environment. "" and DefaultEnvironment are the top
// level of the file. The variables of the file replace their names everywhere, and take precedence over env.
func ParseEnvironment(data []byte, environment string, env func(string) (string, bool)) (Config, error) {
	v, err := parse(data)
	if err != nil {
		return Config{}, err
	}
	f := newFileDecoder(v)
	if v.kind == isObject {
		f.environments.read(v)
	}
	if f.decoder.err != nil {
		return Config{}, f.decoder.err
	}
	at, err := f.environments.chosen(environment)
	if err != nil {
		return Config{}, err
	}
	f.decode(v, at, env)
	return *f.config, f.decoder.err
}

// decode decodes a file, with what it says of an environment.
func (f *fileDecoder) decode(file *value, at environmentSection, env func(string) (string, bool)) {
	c := f.config
	c.Variables = f.environments.top.with(at.variables).flat()
	r := replacer{decoder: f.decoder, variables: c.Variables, left: maxReplaced}
	file = r.tree(file)
	f.auth.useTemplate(file)
	f.decoder.object(file, "the file", f.fields())
	if c.Driver != "" && c.URL != "" {
		f.decoder.failAt(0, "url and driver are both there: the driver says where the service is, so leave out url")
	}
	c.Users = f.auth.users
	f.describe(env)
	f.enter(at, &r)
	f.expand(env)
}

// enter changes the configuration to that of an environment. A service that Sonde starts is at the top level only, so
// an environment with a URL has none, nor a reset that would need one. A service in production is never reset.
func (f *fileDecoder) enter(at environmentSection, r *replacer) {
	c := f.config
	f.used = at
	if at.name == "" {
		return
	}
	c.Environment, c.Production = at.name, at.production
	var headers []model.Credential
	if at.headers != nil {
		f.decoder.headers(&headers)(r.tree(at.headers))
	}
	c.Headers = mergeHeaders(c.Headers, headers)
	c.Users = mergeUsers(c.Users, f.auth.more(r.tree(at.users)))
	if at.url == "" {
		return
	}
	c.URL = ReplaceVariables(at.url, c.Variables)
	c.Service, c.Driver = nil, ""
	if c.Reset != nil && (c.Production || c.Reset.Restart || c.Reset.Clean) {
		c.Reset = nil
	}
}

// describe lists the environments. It decodes all of them, to find errors also in those that were not chosen.
func (f *fileDecoder) describe(env func(string) (string, bool)) {
	sections, c := f.environments.sections, f.config
	if len(sections) == 0 {
		return
	}
	top := environmentSection{name: DefaultEnvironment}
	for _, e := range append([]environmentSection{top}, sections...) {
		r := replacer{decoder: f.decoder, variables: f.environments.top.with(e.variables).flat(), left: maxReplaced}
		if e.headers != nil {
			f.decoder.headers(new([]model.Credential))(r.tree(e.headers))
		}
		out := Environment{Name: e.name, URL: e.url, Production: e.production}
		if e.url == "" {
			out.URL, out.Starts = f.environments.topURL, c.StartsService()
		}
		out.URL = replaceVariables(ReplaceVariables(out.URL, r.variables), env)
		for _, u := range mergeUsers(c.Users, f.auth.more(r.tree(e.users))) {
			out.Users = append(out.Users, u.Name)
		}
		c.Environments = append(c.Environments, out)
	}
}

// StartsService reports whether Sonde or a driver starts the service.
func (c Config) StartsService() bool { return c.Service != nil || c.Driver != "" }

// Started returns the configuration for a service that is already running: it lacks the settings that start the
// service.
func (c Config) Started() Config {
	c.Service, c.Driver = nil, ""
	return c
}

// fileDecoder decodes sonde.yaml. Each section has its own decoder.
type fileDecoder struct {
	decoder *decoder
	config  *Config
	service serviceDecoder
	search  searchDecoder
	network networkDecoder
	auth    *authDecoder

	environments environmentDecoder
	used         environmentSection // the chosen environment; zero for the top level
}

func newFileDecoder(file *value) *fileDecoder {
	d, c := &decoder{}, &Config{}
	return &fileDecoder{
		decoder: d,
		config:  c,
		service: serviceDecoder{decoder: d, config: c},
		search:  searchDecoder{decoder: d, config: c},
		network: networkDecoder{decoder: d, network: &c.Net},
		auth:    newAuthDecoder(d, file),

		environments: environmentDecoder{decoder: d},
	}
}

// fields returns the top-level keys of the file, with their decoders.
func (f *fileDecoder) fields() fields {
	c, d := f.config, f.decoder
	ignored := func(*value) {} // for keys that others decode, and those of the Web Fuzzing Commons that Sonde ignores
	all := fields{
		"spec":           d.text(&c.Spec),
		"url":            d.text(&c.URL),
		"allow-host":     d.texts(&c.Hosts),
		"insecure":       d.flag(&c.Insecure),
		"caCert":         d.text(&c.TLS.CACert),
		"cert":           d.text(&c.TLS.Cert),
		"key":            d.text(&c.TLS.Key),
		"net":            f.network.net(),
		"values":         d.values(&c.Values),
		"headers":        d.headers(&c.Headers),
		"environments":   ignored, // decoded by environmentDecoder
		"variables":      ignored,
		"configs":        ignored,
		"schemaVersion":  ignored,
		"schema_version": ignored,
	}
	for _, section := range []fields{f.service.fields(), f.search.fields(), f.auth.fields()} {
		maps.Copy(all, section)
	}
	return all
}

// expand replaces variables in spec, url and allow-host with their values.
func (f *fileDecoder) expand(env func(string) (string, bool)) {
	c := f.config
	for _, place := range append([]*string{&c.Spec, &c.URL}, pointers(c.Hosts)...) {
		line, whose := 0, ""
		if place == &c.URL && f.used.url != "" {
			line, whose = f.used.urlLine, ", or under variables"
		}
		*place = model.FillSecrets(*place, func(name string) string {
			text, ok := env(name)
			if !ok {
				f.decoder.failAt(line, "%s is not set in the environment: %q needs it%s", name, *place, whose)
			}
			return text
		})
	}
}

func pointers(texts []string) []*string {
	var all []*string
	for i := range texts {
		all = append(all, &texts[i])
	}
	return all
}
