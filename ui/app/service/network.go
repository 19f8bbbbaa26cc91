package service

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
)

// NoNetworkBackend is the backend of a service that cannot have a virtual network.
const NoNetworkBackend model.NetworkGround = "none"

// NetworkBackend is a way to provide a virtual network around a service.
type NetworkBackend struct {
	model.NetworkGround
	Reason string
}

// Network has the flags for the virtual network around the service. The values of its lists come before those of the
// configuration.
type Network struct {
	On, Off   bool
	Allow     []string // addresses in the form host:port
	Stubs     []string // paths of files
	Providers []string // specs of hosts, in the form HOST=SPEC
}

// Enabled reports whether the flags, or otherwise the configuration, ask for a virtual network.
func (a Network) Enabled(c config.Network) bool { return !a.Off && (a.On || c.On) }

// WithSwitch returns the flags with the network switched on or off by the app's form.
func (a Network) WithSwitch(on bool, c config.Network) Network {
	if !on {
		return Network{Off: c.On}
	}
	a.On, a.Off = true, false
	return a
}

// Check returns an error if the flags are invalid. startsService says whether Sonde starts the service.
func (a Network) Check(c config.Network, startsService bool) error {
	switch extra := slices.Concat(a.Allow, a.Stubs, a.Providers); {
	case a.On && a.Off:
		return errors.New("--net and --no-net exclude each other: give one of them")
	case a.Enabled(c) && !startsService:
		return errors.New("--net needs a service that Sonde starts: set sut: {build: ./cmd/server} in sonde.yaml, or sut: {run: [...]}")
	case len(extra) > 0 && !a.Enabled(c):
		return fmt.Errorf("%q needs a virtual network: add --net", extra[0])
	}
	for _, allowed := range slices.Concat(a.Allow, c.Allow) {
		if host, port, err := net.SplitHostPort(allowed); err != nil || host == "" || port == "" {
			return fmt.Errorf("--net-allow %q is not HOST:PORT, such as 127.0.0.1:5432", allowed)
		}
	}
	return nil
}

// LoadNetwork returns the virtual network, with the stubs and the hosts' specs from files. It returns nil
// if none is wanted.
func (a Network) LoadNetwork(ctx context.Context, c config.Network) (*model.VirtualNetwork, error) {
	if !a.Enabled(c) {
		return nil, nil
	}
	n := &model.VirtualNetwork{
		Allow:      slices.Concat(a.Allow, c.Allow),
		Hostname:   c.Hostname,
		Interfaces: c.Interfaces,
		Providers:  map[string]*model.Spec{},
	}
	for _, path := range slices.Concat(a.Stubs, c.Stubs) {
		stubs, err := config.LoadStubs(path)
		if err != nil {
			return nil, err
		}
		n.Stubs = append(n.Stubs, stubs...)
	}
	for _, host := range slices.Sorted(maps.Keys(c.Providers)) {
		a.Providers = append(a.Providers, host+"="+c.Providers[host])
	}
	for _, provider := range a.Providers {
		if err := provide(ctx, n, provider); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// provide adds the spec of a host, unless the host already has one.
func provide(ctx context.Context, n *model.VirtualNetwork, provider string) error {
	host, source, ok := strings.Cut(provider, "=")
	if !ok || host == "" || source == "" {
		return fmt.Errorf("--provider %q is not like payments.example=payments.yaml", provider)
	}
	if n.Providers[host] != nil {
		return nil // the flag takes precedence over the file
	}
	spec, err := openapi.Load(ctx, source, openapi.Options{})
	if err != nil {
		return fmt.Errorf("the spec of %q: %w", host, err)
	}
	n.Providers[host] = spec
	return nil
}

// Args returns the flags as typed.
func (a Network) Args() (line []string) {
	for _, flag := range []struct {
		on   bool
		name string
	}{{a.On, "--net"}, {a.Off, "--no-net"}} {
		if flag.on {
			line = append(line, flag.name)
		}
	}
	for _, list := range []struct {
		name   string
		values []string
	}{{"--net-allow", a.Allow}, {"--stubs", a.Stubs}, {"--provider", a.Providers}} {
		for _, v := range list.values {
			line = append(line, list.name, v)
		}
	}
	return line
}
