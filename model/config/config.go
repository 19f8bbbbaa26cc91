// Package config reads and writes sonde.yaml: where the service is or how to
// start it, who calls it, and how it is searched. Who calls it is written as the
// Web Fuzzing Commons have it (auth and authTemplate), so that a file of theirs
// is one of Sonde's.
//
// A key that is not known is an error, with its line. Secrets stand in the file
// as "${NAME}" and stay so in what is read: a literal one gets a name of its own.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sonde/model"
)

// FileName is what the file is called unless somebody says otherwise.
const FileName = "sonde.yaml"

// Config is what a file says. What it leaves out is zero.
type Config struct {
	// Spec is a URL, or a path that starts from where Sonde runs.
	Spec string
	// URL is where the service is; with a Service it may hold model.PortPlaceholder.
	URL     string
	Hosts   []string // besides this machine, that may be called
	Service *model.Service
	// Driver is the URL of who starts the service; a Service is then how the driver is
	// started, which stays nil where somebody else does.
	Driver string
	Reset  *model.Reset
	Users  []model.User
	Limits model.Limits
	// Rate is the most requests a second, Timeout that of a call; 0 is the usual.
	Rate     float64
	Timeout  time.Duration
	Insecure bool           // any certificate will do
	TLS      model.TLSFiles // the files that TLS needs
	Seed     *uint64
	Tuning   []model.TuningChange
	Scope    OperationScope
	// Oracles switch what must hold, as a plan's do; Owners say what belongs to
	// whom.
	Oracles []string
	Owners  []model.OwnedResource
	// Net is the virtual network around the service.
	Net     Network
	Workers int // tests that are played at once; 0 is the usual
}

// ApplyTuning returns a tuning with what the file says of it.
func (c Config) ApplyTuning(t model.Tuning) model.Tuning {
	for _, turn := range c.Tuning {
		t = t.WithChange(turn)
	}
	return t
}

// Load reads a file. Paths in it start from its folder. The error is of one line
// and names the file; it is fs.ErrNotExist where there is none.
func Load(path string) (Config, error) {
	data, err := contents(path, "write one with sonde init")
	if err != nil {
		return Config{}, err
	}
	c, err := Parse(data, os.LookupEnv)
	if err != nil {
		return Config{}, fmt.Errorf("configuration %q: %w", path, err)
	}
	c.startFrom(filepath.Dir(path))
	return c, nil
}

// contents reads a file as far as one is read. Where there is none, the error
// says what else to do.
func contents(path, instead string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no configuration %q: %s (%w)", path, instead, fs.ErrNotExist)
		}
		return nil, fmt.Errorf("configuration %q cannot be read: %w", path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("configuration %q cannot be read: %w", path, err)
	}
	return data, nil
}

// startFrom lets relative paths start from a folder.
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
	if c.Service != nil && !filepath.IsAbs(c.Service.Dir) {
		c.Service.Dir = filepath.Join(folder, c.Service.Dir)
		if c.Service.Dir == "." {
			c.Service.Dir = ""
		}
	}
}

// Parse reads the text of a file; paths stay as they are written. The variables
// of the environment that spec, url and allow-host name are asked of env; the
// names of secrets stay.
func Parse(data []byte, env func(string) (string, bool)) (Config, error) {
	v, err := parse(data)
	if err != nil {
		return Config{}, err
	}
	c := Config{}
	r := &reader{named: map[string]bool{}}
	r.object(v, "the file", r.top(&c, v))
	r.expand(&c, env)
	if c.Driver != "" && c.URL != "" {
		r.failAt(0, "url and driver are both there: the driver says where the service is, so leave out url")
	}
	return c, r.err
}

// StartsService reports whether the service is started for whoever calls it, by Sonde or by a
// driver.
func (c Config) StartsService() bool { return c.Service != nil || c.Driver != "" }

// Started is the configuration of a service that runs already.
func (c Config) Started() Config {
	c.Service, c.Driver = nil, ""
	return c
}

// top are the keys of the file.
func (r *reader) top(c *Config, all *value) fields {
	passed := func(*value) {} // of the Web Fuzzing Commons, and not about Sonde
	return fields{
		"spec": r.text(&c.Spec), "url": r.text(&c.URL), "allow-host": r.texts(&c.Hosts),
		"service": r.service(c), "sut": r.service(c), "reset": r.reset(&c.Reset),
		"budget": r.budget(&c.Limits), "seed": r.seed(&c.Seed),
		"rate": r.rate(&c.Rate), "timeout": r.duration(&c.Timeout), "insecure": r.flag(&c.Insecure), "tuning": r.tuning(&c.Tuning),
		"include": r.rules(&c.Scope.Include), "exclude": r.rules(&c.Scope.Exclude),
		"oracles": r.texts(&c.Oracles), "owners": r.owners(&c.Owners), "workers": r.count(&c.Workers, 1000),
		"net":    r.net(&c.Net),
		"caCert": r.text(&c.TLS.CACert), "cert": r.text(&c.TLS.Cert), "key": r.text(&c.TLS.Key),
		"auth":         r.users(&c.Users, all),
		"authTemplate": func(v *value) { r.object(v, "authTemplate", r.user(&model.User{}, &auth{})) },
		"configs":      passed, "schemaVersion": passed, "schema_version": passed,
	}
}

// expand fills in what the environment has.
func (r *reader) expand(c *Config, env func(string) (string, bool)) {
	for _, place := range append([]*string{&c.Spec, &c.URL}, pointers(c.Hosts)...) {
		*place = model.FillSecrets(*place, func(name string) string {
			text, ok := env(name)
			if !ok {
				r.failAt(0, "%s is not set in the environment: %q needs it", name, *place)
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
