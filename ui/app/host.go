package app

import (
	"cmp"

	"sonde/model"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

// ScreenService returns the screens' description of a service.
func ScreenService(s service.Service) screen.Service {
	return screen.Service{Name: s.Name, URL: s.URL, Remote: s.IsRemote(), NoReset: !s.CanReset(), CreatesUsers: s.CreatesUsers()}
}

// ConfiguredService returns the screens' description of the service of a configuration, whose spec may not have been read
// yet. url is its URL as the user gave it, "" for that of the configuration.
func ConfiguredService(c service.Configuration, url string, network service.Network) screen.Service {
	url = cmp.Or(url, c.URL)
	if c.StartsService() {
		url = c.ServiceAt(url, &model.Spec{}).URL
	}
	s := c.ServiceAt(url, &model.Spec{})
	s.Name, s.URL = "", cmp.Or(c.Driver, url)
	host := ScreenService(s)
	host.Security = c.Security
	if c.Observable() {
		host.Probes = usecase.ProbesAlways
	}
	if c.StartsWithoutDriver() {
		host.Net = initialNet(network, c)
	}
	host.Environment, host.Production, host.HasEnvironments = c.Environment, c.Production, len(c.Environments) > 0
	return host
}

// initialNet returns NetworkRequested if the flags or the configuration ask for a virtual network, otherwise
// NetworkAvailable.
func initialNet(flags service.Network, c service.Configuration) usecase.NetworkSupport {
	if flags.Enabled(c.Net) {
		return usecase.NetworkRequested
	}
	return usecase.NetworkAvailable
}
