package suite

import (
	"fmt"
	"slices"
	"strings"

	"sonde/assets/demo"
	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/ui/app/service"
)

// The values of --hosts: how exported tests play the hosts around the service.
const (
	VirtualHosts = "virtual"
	LocalHosts   = "httptest"
)

// CheckHosts returns an error if value is not a value of --hosts.
func CheckHosts(value string) error {
	if value != VirtualHosts && value != LocalHosts {
		return fmt.Errorf("--hosts %q is not known: use %s or %s", value, VirtualHosts, LocalHosts)
	}
	return nil
}

// CheckFormat returns an error if tests of a format cannot play hosts as the value of --hosts demands. That value is ""
// for the default.
func CheckFormat(f format.Format, hosts string) error {
	switch {
	case hosts == VirtualHosts && f.Name != DefaultFormat:
		return fmt.Errorf("--hosts %s needs --format %s: only Go tests have a virtual network", hosts, DefaultFormat)
	case hosts == LocalHosts && f.Name != DefaultFormat && !f.Servers:
		return fmt.Errorf("--hosts %s needs --format %s: tests in %s play no hosts", hosts, strings.Join(PlayingFormats(), ", "), f.Name)
	}
	return nil
}

// PlayingFormats returns the names of the formats whose tests play hosts.
func PlayingFormats() []string {
	all := []string{DefaultFormat}
	for _, f := range format.Formats {
		if f.Servers {
			all = append(all, f.Name)
		}
	}
	return all
}

// WithHosts returns a suite whose tests play the hosts around the service. Usually, the virtual network n plays the
// hosts. Servers in the tests play them if local is set, if n is nil, or if n is of the kind that is built into the
// service and Sonde does not build the service.
func WithHosts(s export.Suite, n *model.VirtualNetwork, local bool) export.Suite {
	unbuilt := s.Service != nil && s.Service.Build == nil
	local = local || n != nil && n.Ground == model.GroundBuiltIn && unbuilt
	s.Local = local || n == nil
	if n == nil {
		return s
	}
	s.Net = n
	if local {
		s.Service = withoutNetwork(s.Service)
		return s
	}
	if s.Service != nil {
		s.Build = buildWords(s.Service.Build, "--net")
	}
	if s.RowsBuild != nil {
		s.RowsBuild = slices.Insert(slices.Clone(s.RowsBuild), len(s.RowsBuild)-1, "--net")
	}
	return s
}

// ForFormat adapts a suite to the hosts that the tests of a format can play. Only Go tests have a virtual network. In
// the other formats that can play hosts, servers in the tests play them instead.
func ForFormat(s export.Suite, f format.Format) export.Suite {
	if !f.Servers || s.Net == nil || s.Local {
		return s
	}
	s.Local, s.Build, s.Service = true, nil, withoutNetwork(s.Service)
	return s
}

// OfDemo reports whether a service is the demo.
func OfDemo(s *model.Service) bool { return isDemo(s.Build) }

func isDemo(b *model.GoBuild) bool { return b != nil && b.Package == demo.ServerPackage }

// withoutNetwork returns how to start a service without the virtual network with which it was built.
func withoutNetwork(s *model.Service) *model.Service {
	if s == nil || !OfDemo(s) {
		return service.WithoutProbes(s)
	}
	plain := *s
	plain.Build, plain.Command = nil, service.ReplaceBinary(s.Command, "sonde", "demo")
	return &plain
}

// RowsBuild returns the command that builds a service so that tests can insert rows into its database. It returns nil
// if Sonde does not build the service, and for the demo, which has no database.
func RowsBuild(b *model.GoBuild) []string {
	if isDemo(b) {
		return nil
	}
	return buildWords(b, "--rows")
}

// buildWords returns the command that builds a service with a flag of sonde build, or nil if Sonde does not build the
// service. The last word is the package.
func buildWords(b *model.GoBuild, flag string) []string {
	words := []string{"sonde", "build", flag}
	switch {
	case b == nil:
		return nil
	case isDemo(b):
		return append(words, "--demo")
	case b.Tags != "":
		words = append(words, "--tags", b.Tags)
	}
	if b.Vendor {
		words = append(words, "--vendor")
	}
	return append(words, b.Package)
}
