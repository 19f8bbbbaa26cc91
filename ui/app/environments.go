package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/target/client"
	"sonde/ui/app/service"
	"sonde/ui/tui/screen"
)

// environmentSwitch lists the environments of the configuration, and makes another one the current one.
type environmentSwitch struct {
	session *session
	calling *sync.Mutex  // held while the service is called
	rest    func()       // stops the service for manual calls; its mutex calling must be locked
	busy    func() error // the reason why the environment cannot be changed now, nil if it can be

	mu   sync.Mutex
	left map[string]serviceState // environments that the user has left, by their names
}

// serviceState is what a session remembers of an environment that the user leaves: what the command line says of it, and
// its users. Users belong to one environment, because their credentials must not be sent to another host.
type serviceState struct {
	url     string
	sending service.RequestOptions
	users   []model.User
}

// environmentName returns the name of the environment of a configuration.
func environmentName(c service.Configuration) string {
	return cmp.Or(c.Environment, config.DefaultEnvironment)
}

// environment returns the name of the current environment.
func (s *session) environment() string { return environmentName(s.state().config) }

// errNoEnvironments is the error of a list of environments if the configuration has none.
var errNoEnvironments = errors.New("there are no environments: add the section environments to sonde.yaml (docs/configuration.md)")

// all reads the environments from the configuration file. Without environments, it returns the addresses of the spec.
func (e *environmentSwitch) all() (all []screen.Environment, err error) {
	now := e.session.state()
	if len(now.config.Environments) == 0 {
		if all = now.addresses(); len(all) > 0 {
			return all, nil
		}
	}
	if now.config.Path == "" {
		return nil, errNoEnvironments
	}
	read, err := config.LoadEnvironment(now.config.Path, now.config.Environment)
	if err != nil {
		return nil, err
	}
	if len(read.Environments) == 0 {
		return nil, errNoEnvironments
	}
	for _, one := range read.Environments {
		shown := screen.Environment{
			Name: one.Name, Address: service.EnvironmentAddress(one), Users: one.Users, Production: one.Production,
		}
		if one.Name == environmentName(now.config) {
			shown.Current = true
			shown.Address, shown.Users = cmp.Or(now.service.AddressText(), shown.Address), userNames(now.service.Users)
		}
		all = append(all, shown)
	}
	return all, nil
}

// use makes an environment the current one. It reads the configuration again. Calls that begin later go to the service
// of the environment.
func (e *environmentSwitch) use(ctx context.Context, name string) (screen.Service, []string, error) {
	if now := e.session.state(); len(now.config.Environments) == 0 && len(now.addresses()) > 0 {
		return e.useAddress(ctx, name)
	}
	e.calling.Lock() // waits for a call in progress
	defer e.calling.Unlock()
	if err := cmp.Or(ctx.Err(), e.busy()); err != nil {
		return screen.Service{}, nil, err
	}
	now := e.session.state()
	next, err := config.LoadEnvironment(now.config.Path, name)
	if err != nil {
		return screen.Service{}, nil, err
	}
	read := service.Configuration{Config: next, Path: now.config.Path, SpecFromDriver: now.config.SpecFromDriver}
	if err := checkEnvironment(name, read, e.session.options.AllowHosts); err != nil {
		return screen.Service{}, nil, err
	}
	state := e.enter(name, serviceState{sending: now.sending, users: read.Users})
	read.Users = state.users
	if state.url != "" {
		read.Config = read.Started()
	}
	e.session.setService(read, state)
	e.rest() // the next call starts the service of the environment, if Sonde starts one
	host := ConfiguredService(read, state.url, e.session.options.Network)
	return host, userNames(read.Users), nil
}

// checkEnvironment returns an error if there is no service to call in an environment, or if its host is not allowed.
func checkEnvironment(name string, c service.Configuration, hosts []string) error {
	if c.StartsService() {
		return nil
	}
	if c.URL == "" {
		return fmt.Errorf("environment %s has no url: add one in %s", name, c.Path)
	}
	_, err := client.CheckURL(c.URL, slices.Concat(hosts, c.Hosts))
	if u, bad := url.Parse(c.URL); err != nil && bad == nil && u.Hostname() != "" && !client.IsLoopback(u) {
		if _, other := client.CheckURL(c.URL, []string{u.Hostname()}); other == nil {
			return fmt.Errorf("%s is not on this machine: add allow-host: [%s] to %s, and choose it again", c.URL, u.Hostname(), c.Path)
		}
	}
	return err
}

// enter stores the state of the environment that the user leaves, and returns that of the environment to enter. If the
// user was not there yet, it is fresh, without what the command line says of the first environment.
func (e *environmentSwitch) enter(name string, fresh serviceState) serviceState {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.session.state()
	if e.left == nil {
		e.left = map[string]serviceState{}
	}
	e.left[environmentName(now.config)] = serviceState{url: now.url, sending: now.sending, users: now.service.Users}
	if known, ok := e.left[name]; ok {
		return known
	}
	fresh.sending.Credentials = service.Credentials{}
	return fresh
}

// setService replaces the service that later calls go to.
func (s *session) setService(c service.Configuration, state serviceState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := &s.current
	now.config, now.url, now.sending = c, state.url, state.sending
	now.service = service.Service{}
	if now.spec != nil {
		now.service = c.ServiceAt(cmp.Or(state.url, c.URL), now.spec)
	}
	now.version++
}
