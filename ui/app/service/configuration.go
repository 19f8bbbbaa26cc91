package service

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/network/netns"
	"sonde/ui/app/command"
)

// SpecSource is the spec that was named, or where services tend to give it.
func SpecSource(args []string, url string) string {
	if len(args) > 0 {
		return args[0]
	}
	return strings.TrimSuffix(url, "/") + "/openapi.json"
}

// Configuration is what a configuration says, and the file that it came from: ""
// where there is none.
type Configuration struct {
	config.Config
	Path string
}

// Observable reports whether a search can see into the service.
func (c Configuration) Observable() bool { return c.BuildsService() || c.Driver != "" }

// BuildsService reports whether the service is built with probes.
func (c Configuration) BuildsService() bool { return c.Service != nil && c.Service.Build != nil }

// StartsWithoutDriver reports whether Sonde itself starts the service.
func (c Configuration) StartsWithoutDriver() bool { return c.Service != nil && c.Driver == "" }

// SpecSource is the spec that was named, or the configuration's, or where services
// tend to give it.
func (c Configuration) SpecSource(args []string, url string) (string, error) {
	switch {
	case len(args) == 0 && c.Spec != "":
		return c.Spec, nil
	case len(args) == 0 && c.StartsService():
		return "", fmt.Errorf("no spec: name it, or say spec in %s; a service that is yet to start cannot be asked", c.Path)
	}
	return SpecSource(args, url), nil
}

// ServiceAt returns the service at a URL as the configuration has it.
func (c Configuration) ServiceAt(base string, spec *model.Spec) Service {
	if base == "" && c.StartsService() {
		base = "http://127.0.0.1:" + model.PortPlaceholder
	}
	s := ServiceAtURL(base, spec)
	s.Users, s.Reset, s.Owners = c.Users, c.Reset, c.Owners
	if c.Driver != "" {
		s.Driver = &model.Driver{URL: c.Driver, Run: c.Service, Path: s.Path, Blind: true}
		return s
	}
	s.StartCommand, s.Builder = WithoutProbes(c.Service), BuilderOf(c.Service, s.URL)
	return s
}

// FilterOperations leaves of a spec what the configuration wants called.
func (c Configuration) FilterOperations(spec *model.Spec) (*model.Spec, error) {
	less := c.Scope.Apply(spec)
	if len(less.Operations) == 0 && len(spec.Operations) > 0 {
		return nil, fmt.Errorf("include and exclude of %q leave no operation of %d", c.Path, len(spec.Operations))
	}
	return less, nil
}

// CompleteRecording says of a recording how the service is started, and who its users are.
func (c Configuration) CompleteRecording(rec *model.Recording) {
	if c.Service != nil {
		rec.Service = c.Service
		rec.BaseURL = cmp.Or(c.URL, rec.BaseURL)
	}
	if rec.Reset == nil {
		rec.Reset = c.Reset
	}
	rec.Users = MergeUsers(rec.Users, c.Users)
}

// MergeUsers are users with those of others whose names they do not have.
func MergeUsers(users, others []model.User) []model.User {
	all := slices.Clone(users)
	for _, u := range others {
		if !slices.ContainsFunc(all, func(o model.User) bool { return o.Name == u.Name }) {
			all = append(all, u)
		}
	}
	return all
}

// NetworkBackend finds out what carries a virtual network around the service.
func (c Configuration) NetworkBackend() NetworkBackend {
	switch {
	case c.BuildsService():
		return NetworkBackend{model.BackendBuiltIn, "Sonde builds the service with it"}
	case c.Driver != "":
		return NetworkBackend{NoNetworkBackend, "the driver starts the service"}
	case c.Service == nil:
		return NetworkBackend{NoNetworkBackend, "somebody else starts the service: say sut: {run: [...]} in sonde.yaml"}
	}
	if err := netns.CheckSupport(); err != nil {
		return NetworkBackend{model.BackendProxy, "Sonde does not build the service, and " + err.Error()}
	}
	return NetworkBackend{model.BackendNamespace, "Sonde does not build the service, and this system gives namespaces"}
}

// RelativeSpec is how a file in a folder names a spec: a path starts from there.
// Standard input has no name.
func RelativeSpec(source, folder string) string {
	if source == "-" {
		return ""
	}
	if strings.Contains(source, "://") || filepath.IsAbs(source) {
		return command.WithoutCredentials(source)
	}
	here, err1 := filepath.Abs(folder)
	there, err2 := filepath.Abs(source)
	if way, err := filepath.Rel(here, there); err == nil && err1 == nil && err2 == nil {
		return filepath.ToSlash(way)
	}
	return source
}

// SecretVariables are the variables that users' secrets are in, each once.
func SecretVariables(users []model.User) []string {
	set := []string{}
	for _, u := range users {
		for _, text := range u.SecretTexts() {
			for _, name := range model.SecretNames(text) {
				if !slices.Contains(set, name) {
					set = append(set, name)
				}
			}
		}
	}
	return set
}
