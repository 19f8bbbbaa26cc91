package searchrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/ui/app/service"
)

// loadNetwork returns the virtual network that the settings ask for, nil for none.
func (s Settings) loadNetwork(ctx context.Context) (*model.VirtualNetwork, error) {
	n, err := s.Network.LoadNetwork(ctx, s.Config.Net)
	return n.WithStartupStubs(s.StartupStubs), err
}

// surround returns the virtual network around a service that Sonde does not build. It returns nil if no
// network is wanted or possible.
func (s Settings) surround(ctx context.Context) (*model.VirtualNetwork, error) {
	n, err := s.loadNetwork(ctx)
	if n == nil || err != nil {
		return nil, err
	}
	n.Ground = s.Config.NetworkBackend().NetworkGround
	anyPort := slices.IndexFunc(n.Allow, func(place string) bool { return strings.HasSuffix(place, ":*") })
	switch {
	case n.Ground == service.NoNetworkBackend:
		return nil, nil
	case anyPort >= 0:
		return nil, fmt.Errorf(
			"--net-allow %q: for a service that Sonde does not build, give the port's number",
			n.Allow[anyPort],
		)
	case len(n.Interfaces) > 0:
		return nil, errors.New(
			"interfaces need a Go service that Sonde builds: remove them, or set sut: {build: ./cmd/server} in sonde.yaml",
		)
	case n.Hostname != "" && n.Ground == model.GroundProxy:
		return nil, errors.New("hostname has no effect behind a proxy: remove it")
	}
	return n, nil
}

// BuildService builds the service of a plan with probes, if Sonde builds it, and adds the network and the driver to the
// plan. left has the source files that got no probes. The function end removes the build.
func (s Settings) BuildService(ctx context.Context, p *model.Plan) (left []probedata.SkippedFile, end func(), err error) {
	if d := s.Service.Driver; d != nil {
		sees := *d
		sees.Blind = s.BlackBox
		p.Driver = &sees
	}
	if s.Service.Builder == nil {
		p.Net, err = s.surround(ctx)
		return nil, func() {}, err
	}
	p.Net, err = s.loadNetwork(ctx)
	if err != nil {
		return nil, nil, err
	}
	return s.build(ctx, p, s.BlackBox, service.Additions{
		SQL: s.WatchSQL || s.Sampling.Rows > 0, Rows: usesRows(p), Panics: s.WatchPanics, Net: p.Net != nil,
	})
}

// build builds the service in a temporary folder, which end removes, and adds it to the plan. left has the source files
// that got no probes.
func (s Settings) build(
	ctx context.Context, p *model.Plan, blind bool, a service.Additions,
) (left []probedata.SkippedFile, end func(), err error) {
	dir, err := os.MkdirTemp("", "sonde-build-")
	if err != nil {
		return nil, nil, fmt.Errorf("no temporary folder to build the service in: %w", err)
	}
	end = func() { _ = os.RemoveAll(dir) } // the folder is temporary
	b := s.Service.Builder
	r, err := b.Build(ctx, dir, a)
	if err != nil {
		end()
		return nil, nil, err
	}
	p.BaseURL, p.Service, p.Probes = b.BaseURL, b.StartBinary(r.Binary), &model.Probes{Binary: r.Binary, Blind: blind}
	return r.Manifest.Skipped, end, nil
}

// usesRows reports whether the service must insert rows, or clean its databases.
func usesRows(p *model.Plan) bool { return p.InsertRows || p.Reset != nil && p.Reset.Clean }

// BuildForRows builds the service of a plan if it must insert rows or clean its databases. Otherwise, or if Sonde does not
// build the service, BuildForRows does nothing. end removes the build.
func (s Settings) BuildForRows(ctx context.Context, p *model.Plan) (end func(), err error) {
	if s.Service.Builder == nil || !usesRows(p) {
		return func() {}, nil
	}
	_, end, err = s.build(ctx, p, true, service.Additions{Rows: true})
	return end, err
}

// StartRunInApp starts a run like StartRun. The app already serves one copy of the demo. For additional workers,
// StartRunInApp serves more copies until the run ends.
func (s Settings) StartRunInApp(ctx context.Context, spec *model.Spec) (run *Run, err error) {
	if s.Service.Name != service.DemoSource || s.Service.Builder != nil {
		return s.StartRun(ctx, spec)
	}
	serving, end := context.WithCancel(ctx)
	s.Service, err = s.Service.WithCopies(serving, s.Workers)
	if err == nil {
		run, err = s.StartRun(ctx, spec)
	}
	if err != nil {
		end()
		return nil, err
	}
	go func() {
		run.Wait()
		end()
	}()
	return run, nil
}
