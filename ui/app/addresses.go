package app

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sonde/runner/target/client"
	"sonde/ui/app/service"
	"sonde/ui/tui/screen"
)

// addresses returns the addresses that a spec suggests for its service, as environments without users: the host from which
// the spec was read, and its servers. They can be chosen if the configuration has neither environments nor a service that
// Sonde starts. Nothing is called before the user sends a request.
func (s openSpec) addresses() (all []screen.Environment) {
	if s.spec == nil || s.config.StartsService() {
		return nil
	}
	current := strings.TrimSuffix(s.service.URL, "/")
	add := func(name, address string) {
		address = strings.TrimSuffix(address, "/")
		if !slices.ContainsFunc(all, func(e screen.Environment) bool { return e.Address == address }) {
			all = append(all, screen.Environment{Name: name, Address: address, Current: address == current})
		}
	}
	if current != "" {
		add("now", current)
	}
	source, err := url.Parse(s.spec.Source)
	fetched := err == nil && source.Host != "" && (source.Scheme == "http" || source.Scheme == "https")
	if fetched {
		add("host of the spec", source.Scheme+"://"+source.Host)
	}
	for i, server := range s.spec.Servers {
		at, err := url.Parse(server)
		if err != nil || strings.Contains(server, "{") {
			continue
		}
		if fetched {
			at = source.ResolveReference(at)
		}
		if at.Host != "" && (at.Scheme == "http" || at.Scheme == "https") {
			add(fmt.Sprint("server ", i+1), at.String())
		}
	}
	return all
}

// useAddress makes an address of the spec the current service. Users and credentials of another address are left behind,
// because they must not be sent to another host.
func (e *environmentSwitch) useAddress(ctx context.Context, name string) (screen.Service, []string, error) {
	e.calling.Lock() // waits for a call in progress
	defer e.calling.Unlock()
	if err := cmp.Or(ctx.Err(), e.busy()); err != nil {
		return screen.Service{}, nil, err
	}
	now := e.session.state()
	all := now.addresses()
	i := slices.IndexFunc(all, func(a screen.Environment) bool { return a.Name == name })
	if i < 0 {
		return screen.Service{}, nil, fmt.Errorf("the spec has no %s any more", name)
	}
	to := all[i].Address
	if _, err := client.CheckURL(to, slices.Concat(e.session.options.AllowHosts, now.config.Hosts)); err != nil {
		return screen.Service{}, nil, fmt.Errorf("%w; or start with --url %s --allow-host %s", err, to, hostOf(to))
	}
	next := service.Configuration{Config: now.config.Config, Path: now.config.Path}
	next.Users = now.service.Users
	state := serviceState{url: to, sending: now.sending}
	if now.service.URL != "" {
		next.Users = nil
		state.sending.Credentials = service.Credentials{}
	}
	e.session.setService(next, state)
	return ConfiguredService(next, to, e.session.options.Network), userNames(next.Users), nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Hostname()
}
