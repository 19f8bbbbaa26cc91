package app

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/usecase"
)

// The command that the app shows for a search has the settings of the form.
func TestSettingsOfTheForm(t *testing.T) {
	said := service.Network{On: true, Allow: []string{"127.0.0.1:5432"}}
	demo := service.Service{Name: service.DemoSource, URL: "http://127.0.0.1:1"}
	built := service.Service{URL: demo.URL, Builder: &service.Builder{}}
	for _, c := range []struct {
		name    string
		options Options
		form    usecase.SearchSettings
		want    string // the part of the command between the service and --calls
		outside bool   // the demo calls other hosts
	}{
		{"demo", Options{Service: demo}, usecase.SearchSettings{}, "--demo", false},
		{"demo, white", Options{Service: demo}, usecase.SearchSettings{WhiteBox: true}, "--demo --white", false},
		{"demo, network", Options{Service: demo}, usecase.SearchSettings{Net: true}, "--demo --white --black --net", true},
		{
			"demo, both",
			Options{Service: demo, Network: said},
			usecase.SearchSettings{WhiteBox: true, Net: true},
			"--demo --white --net --net-allow 127.0.0.1:5432", true,
		},
		{"off in the form", Options{Service: demo, Network: said}, usecase.SearchSettings{}, "--demo", false},
		{"built", Options{Service: built, Source: "a.yaml"}, usecase.SearchSettings{WhiteBox: true, Net: true}, "a.yaml --net", false},
		{
			"off though the file has it",
			Options{Service: built, Source: "a.yaml", Config: withNet()},
			usecase.SearchSettings{WhiteBox: true},
			"a.yaml --no-net", false,
		},
	} {
		c.options.Specs = &specfile.Loader{}
		session := newSession(c.options)
		session.current.spec = &model.Spec{}
		c.form.Limits.Calls = 7
		s, _, err := session.settings(c.form)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _ := strings.Cut(strings.Join(s.CommandArgs(), " "), " --calls"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		hosts := s.Service.Builder != nil && slices.Contains(s.Service.Builder.Service.Command, "--payments")
		if hosts != c.outside || s.Network.Enabled(s.Config.Net) != c.form.Net {
			t.Errorf("%s: hosts outside %t, a network %t", c.name, hosts, s.Network.Enabled(s.Config.Net))
		}
	}
}

// withNet is a configuration with a network.
func withNet() (c service.Configuration) {
	c.Net = config.Network{On: true}
	return c
}

// Flags and the configuration determine whether the network is initially on.
func TestInitialNet(t *testing.T) {
	for _, c := range []struct {
		on, off, file bool
		want          usecase.NetworkSupport
	}{
		{false, false, false, usecase.NetworkAvailable},
		{true, false, false, usecase.NetworkRequested},
		{false, false, true, usecase.NetworkRequested},
		{false, true, true, usecase.NetworkAvailable},
	} {
		o := Options{Network: service.Network{On: c.on, Off: c.off}}
		o.Config.Net.On = c.file
		if got := o.InitialNet(); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}
