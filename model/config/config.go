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
	"maps"
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
	f := newFileDecoder(v)
	f.decoder.object(v, "the file", f.fields())
	f.config.Users = f.auth.users
	f.expand(env)
	if f.config.Driver != "" && f.config.URL != "" {
		f.decoder.failAt(0, "url and driver are both there: the driver says where the service is, so leave out url")
	}
	return *f.config, f.decoder.err
}

// StartsService reports whether the service is started for whoever calls it, by Sonde or by a
// driver.
func (c Config) StartsService() bool { return c.Service != nil || c.Driver != "" }

// Started is the configuration of a service that runs already.
func (c Config) Started() Config {
	c.Service, c.Driver = nil, ""
	return c
}

// fileDecoder decodes sonde.yaml, each section by a decoder of its own.
type fileDecoder struct {
	decoder *decoder
	config  *Config
	service serviceDecoder
	search  searchDecoder
	network networkDecoder
	auth    *authDecoder
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
	}
}

// fields are the keys of the file.
func (f *fileDecoder) fields() fields {
	c, d := f.config, f.decoder
	ignored := func(*value) {} // keys of the Web Fuzzing Commons that Sonde has no use for
	all := fields{
		"spec":           d.text(&c.Spec),
		"url":            d.text(&c.URL),
		"allow-host":     d.texts(&c.Hosts),
		"insecure":       d.flag(&c.Insecure),
		"caCert":         d.text(&c.TLS.CACert),
		"cert":           d.text(&c.TLS.Cert),
		"key":            d.text(&c.TLS.Key),
		"net":            f.network.net(),
		"configs":        ignored,
		"schemaVersion":  ignored,
		"schema_version": ignored,
	}
	for _, section := range []fields{f.service.fields(), f.search.fields(), f.auth.fields()} {
		maps.Copy(all, section)
	}
	return all
}

// expand replaces the names of variables in spec, url and allow-host.
func (f *fileDecoder) expand(env func(string) (string, bool)) {
	c := f.config
	for _, place := range append([]*string{&c.Spec, &c.URL}, pointers(c.Hosts)...) {
		*place = model.FillSecrets(*place, func(name string) string {
			text, ok := env(name)
			if !ok {
				f.decoder.failAt(0, "%s is not set in the environment: %q needs it", name, *place)
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
