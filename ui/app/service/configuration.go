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

// SpecSource returns the spec in the arguments, otherwise the usual URL of a service's spec.
func SpecSource(args []string, url string) string {
	if len(args) > 0 {
		return args[0]
	}
	return strings.TrimSuffix(url, "/") + "/openapi.json"
}

// Configuration is the content of a configuration file. Its path is "" if there is no file.
type Configuration struct {
	config.Config
	Path string
	// SpecFromDriver says that the spec comes from the driver. The loader then gets the text of the spec in the place
	// of standard input.
	SpecFromDriver bool
}

// Observable reports whether a search can measure coverage of the service's code.
func (c Configuration) Observable() bool { return c.BuildsService() || c.Driver != "" }

// BuildsService reports whether the service is built with probes.
func (c Configuration) BuildsService() bool { return c.Service != nil && c.Service.Build != nil }

// StartsWithoutDriver reports whether Sonde itself starts the service, without a driver.
func (c Configuration) StartsWithoutDriver() bool { return c.Service != nil && c.Driver == "" }

// SpecSource returns the spec in the arguments. Without one, it returns the spec of the configuration, "-" for the spec
// of the driver, or the usual URL of a service's spec, in this order. It returns an error instead of that URL if Sonde
// or a driver starts the service, because the service does not run yet.
func (c Configuration) SpecSource(args []string, url string) (string, error) {
	switch {
	case len(args) == 0 && c.Spec != "":
		return c.Spec, nil
	case len(args) == 0 && c.SpecFromDriver:
		return "-", nil
	case len(args) == 0 && c.Driver != "":
		return "", fmt.Errorf(
			"no spec: name it, or set spec in %s; sonde search and check --sut also take the one that the driver names (docs/driver.md)",
			c.Path,
		)
	case len(args) == 0 && c.StartsService():
		return "", fmt.Errorf("no spec: name it, or set spec in %s; a service that is not started yet cannot serve it", c.Path)
	}
	return SpecSource(args, url), nil
}

// ServiceAt returns the configured service with a base URL. If base is "" and Sonde starts the service, the
// service has a free port.
func (c Configuration) ServiceAt(base string, spec *model.Spec) Service {
	if base == "" && c.StartsService() {
		base = "http://127.0.0.1:" + model.PortPlaceholder
	}
	s := AtURL(base, spec)
	s.Users, s.Reset, s.Owners = c.Users, c.Reset, c.Owners
	if c.Driver != "" {
		s.Driver = &model.Driver{URL: c.Driver, Run: c.Service, Path: s.Path, Blind: true}
		return s
	}
	s.StartCommand, s.Builder = WithoutProbes(c.Service), BuilderOf(c.Service, s.URL)
	return s
}

// FilterOperations returns the spec with the operations that the settings include and exclude select. It
// returns an error if they select no operation.
func (c Configuration) FilterOperations(spec *model.Spec) (*model.Spec, error) {
	less := c.Scope.Apply(spec)
	if len(less.Operations) == 0 && len(spec.Operations) > 0 {
		return nil, fmt.Errorf("include and exclude of %q leave no operation of %d", c.Path, len(spec.Operations))
	}
	return less, nil
}

// CompleteRecording completes a recording with a configuration. If the configuration says how to start the service,
// this replaces the start in the recording. The reset and the users are added only if the recording lacks them.
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

// MergeUsers returns the first list, followed by the users of the second list whose names are not in the first.
func MergeUsers(users, others []model.User) []model.User {
	all := slices.Clone(users)
	for _, u := range others {
		if !slices.ContainsFunc(all, func(o model.User) bool { return o.Name == u.Name }) {
			all = append(all, u)
		}
	}
	return all
}

// NetworkBackend returns the way to provide a virtual network around the service.
func (c Configuration) NetworkBackend() NetworkBackend {
	switch {
	case c.BuildsService():
		return NetworkBackend{model.GroundBuiltIn, "Sonde builds the service with it"}
	case c.Driver != "":
		return NetworkBackend{NoNetworkBackend, "the driver starts the service"}
	case c.Service == nil:
		return NetworkBackend{NoNetworkBackend, "Sonde does not start the service: set sut: {run: [...]} in sonde.yaml"}
	}
	if err := netns.CheckSupport(); err != nil {
		return NetworkBackend{model.GroundProxy, "Sonde does not build the service, and " + err.Error()}
	}
	return NetworkBackend{model.GroundNamespace, "Sonde does not build the service, and this system supports namespaces"}
}

// RelativeSpec returns the source of a spec as it is written in a file of a folder. A relative path becomes relative to
// the folder. A URL loses its user and password. For standard input RelativeSpec returns "".
func RelativeSpec(source, folder string) string {
	if source == "-" {
		return ""
	}
	if strings.Contains(source, "://") || filepath.IsAbs(source) {
		return command.WithoutCredentials(source)
	}
	here, err1 := filepath.Abs(folder)
	there, err2 := filepath.Abs(source)
	if relative, err := filepath.Rel(here, there); err == nil && err1 == nil && err2 == nil {
		return filepath.ToSlash(relative)
	}
	return source
}

// SecretVariables returns the environment variables with secrets of users, without duplicates.
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
