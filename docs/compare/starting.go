package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"sonde/docs/launch"
)

// This file is for a tool that builds and starts the service itself, that is, for Sonde with probes. All
// requests of the tool still pass the proxy. The reached statements are those that Sonde reports by its probes.
// Crashes are not counted.

// readyPath is a path at which the proxy itself answers. The tool requests it to learn whether the service that it
// has started is ready. Requests to this path are neither forwarded nor counted.
const readyPath = "/sonde-compare-ready"

// sut returns the part of Sonde's configuration by which Sonde builds and starts this copy of a service.
func (i *instance) sut(s service) map[string]any {
	build := map[string]any{"package": cmp.Or(s.Build.Package, ".")}
	for _, flag := range s.Build.Flags {
		switch name, value, _ := strings.Cut(flag, "="); name {
		case "-tags":
			build["tags"] = value
		case "-coverpkg":
			build["cover"] = strings.Split(value, ",")
		}
	}
	run := []string{"sh", "-c", `cd "$0" && exec env "$@"`, i.data} // s.Env may have secrets, which the key env of sonde.yaml may not
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		run = append(run, name+"="+i.fill.Replace(s.Env[name]))
	}
	for _, arg := range s.Run {
		run = append(run, i.fill.Replace(strings.ReplaceAll(arg, "{program}", "{binary}")))
	}
	return map[string]any{
		"build": build,
		"dir":   s.Build.Dir,
		"run":   run,
		"port":  i.at.url.Port(),
		"ready": map[string]string{"path": readyPath, "timeout": "2m"},
		"stop":  map[string]string{"signal": cmp.Or(s.Stop, "TERM")},
	}
}

// startAgainByTool ends a copy and returns a new one that a tool will start.
func (i *instance) startAgainByTool(ctx context.Context, s service, dir string) (*instance, error) {
	if s.Build == nil {
		err := errors.New("a white-box search needs a build")
		_, _, failed := i.end(ctx)
		return nil, errors.Join(err, failed)
	}
	if _, _, err := i.end(ctx); err != nil {
		return nil, err
	}
	return s.prepare(ctx, dir)
}

// startedByTool returns a function that waits until a tool has started the service. At its first call, the function
// also logs in the users. The tool does not know their new headers: it got the headers of the users earlier before it
// started the service. The function therefore returns a map from the value of each earlier header to the new value,
// so that the proxy can replace it.
func (i *instance) startedByTool(s service, earlier []user) func(context.Context) (map[string]string, error) {
	return func(ctx context.Context) (map[string]string, error) {
		i.mu.Lock()
		defer i.mu.Unlock()
		if err := launch.WaitUntilReady(ctx, i.run.Ready); err != nil {
			return nil, err
		}
		if !i.known {
			if err := i.logIn(ctx, s); err != nil {
				return nil, err
			}
			i.known = true
		}
		renewed := map[string]string{}
		for n, u := range earlier {
			for name, value := range u.Headers {
				renewed[value] = i.users[n].Headers[name]
			}
		}
		return renewed, nil
	}
}

// answerReady answers a request of a tool that has started the service.
func (p *proxy) answerReady(w http.ResponseWriter, r *http.Request) {
	renewed, err := p.ready(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.renewed = renewed
}

// renew replaces the header values of the first log-in by those of the last one.
func (p *proxy) renew(h http.Header) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, values := range h {
		for i, value := range values {
			values[i] = cmp.Or(p.renewed[value], value)
		}
	}
}

// reportedCoverage reads the coverage that Sonde reported in a run in the folder dir.
func reportedCoverage(dir string) (coverage, error) {
	return readProfile(filepath.Join(dir, "run", "cover.out"))
}
