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

// surround is the virtual network around a service that Sonde does not build, nil where
// none is wanted.
func (s Settings) surround(ctx context.Context) (*model.VirtualNetwork, error) {
	n, err := s.Network.LoadNetwork(ctx, s.Config.Net)
	if n == nil || err != nil {
		return nil, err
	}
	n.Backend = s.Config.NetworkBackend().NetworkBackend
	anyPort := slices.IndexFunc(n.Allow, func(place string) bool { return strings.HasSuffix(place, ":*") })
	switch {
	case n.Backend == service.NoNetworkBackend:
		return nil, nil
	case anyPort >= 0:
		return nil, fmt.Errorf(
			"--net-allow %q: where Sonde does not build the service, each port that is real needs its number",
			n.Allow[anyPort],
		)
	case len(n.Interfaces) > 0:
		return nil, errors.New(
			"interfaces are for a Go service that Sonde builds: leave them out, or say sut: {build: ./cmd/server} in sonde.yaml",
		)
	case n.Hostname != "" && n.Backend == model.BackendProxy:
		return nil, errors.New("a proxy gives the service no other host name: leave hostname out")
	}
	return n, nil
}

// BuildService builds the service of a plan with probes, if it is one to be built, and lets
// the run see into it. What was built is gone after end.
func (s Settings) BuildService(ctx context.Context, p *model.Plan) (left []probedata.SkippedFile, end func(), err error) {
	b := s.Service.Builder
	if d := s.Service.Driver; d != nil {
		sees := *d
		sees.Blind = s.BlackBox
		p.Driver = &sees
	}
	if b == nil {
		p.Net, err = s.surround(ctx)
		return nil, func() {}, err
	}
	dir, err := os.MkdirTemp("", "sonde-build-")
	if err != nil {
		return nil, nil, fmt.Errorf("there is no place to build the service: %w", err)
	}
	end = func() { _ = os.RemoveAll(dir) } // it is only a temporary folder
	p.Net, err = s.Network.LoadNetwork(ctx, s.Config.Net)
	if err != nil {
		end()
		return nil, nil, err
	}
	r, err := b.Build(ctx, dir, s.WatchSQL, p.Net != nil)
	if err != nil {
		end()
		return nil, nil, err
	}
	p.BaseURL, p.Service = b.BaseURL, b.StartBinary(r.Binary)
	p.Probes = &model.Probes{Binary: r.Binary, Blind: s.BlackBox}
	return r.Manifest.Skipped, end, nil
}

// StartRunInApp is begin, where the demo is served already: once. Further copies are
// served for as long as the run goes on.
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
