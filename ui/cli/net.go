package cli

import (
	"cmp"
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
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// around is what a person says of the network around the service. Its lists come
// before those of the configuration.
type around struct {
	on, off   bool
	allow     []string // host:port
	stubs     []string // files
	providers []string // HOST=SPEC
}

func (a *around) add(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&a.on, "net", false, "put a virtual network under the service that sonde.yaml builds or starts, or the demo: what other hosts answer is part of the search, and nothing else is reached")
	f.BoolVar(&a.off, "no-net", false, "leave the service the real network, whatever sonde.yaml says")
	f.StringArrayVar(&a.allow, "net-allow", nil, "with --net, a real host:port that the service may reach, such as 127.0.0.1:5432 (repeat for several)")
	f.StringArrayVar(&a.stubs, "stubs", nil, "with --net, a file of stubs that answer in every test (repeat for several)")
	f.StringArrayVar(&a.providers, "provider", nil, "with --net, HOST=SPEC: make that host's answers by its own OpenAPI spec (repeat for several)")
}

// wanted reports whether the service has a virtual network.
func (a around) wanted(c config.Net) bool { return !a.off && (a.on || c.On) }

// chosen is what a person said, with the choice that somebody made since.
func (a around) chosen(on bool, c config.Net) around {
	if !on {
		return around{off: c.On}
	}
	a.on, a.off = true, false
	return a
}

// check says what is wrong with the flags; ours reports whether there is a service to put a
// network under.
func (a around) check(c config.Net, ours bool) error {
	switch extra := slices.Concat(a.allow, a.stubs, a.providers); {
	case a.on && a.off:
		return errors.New("--net and --no-net are there: say one of them")
	case a.wanted(c) && !ours:
		return errors.New("--net needs a service that Sonde starts: say sut: {build: ./cmd/server} in sonde.yaml, or sut: {run: [...]}")
	case len(extra) > 0 && !a.wanted(c):
		return fmt.Errorf("%q is about the virtual network: say --net, too", extra[0])
	}
	for _, allowed := range slices.Concat(a.allow, c.Allow) {
		if host, port, err := net.SplitHostPort(allowed); err != nil || host == "" || port == "" {
			return fmt.Errorf("--net-allow %q is no host:port, such as 127.0.0.1:5432", allowed)
		}
	}
	return nil
}

// network is the virtual network, with what files say of it; nil where none is
// wanted.
func (a around) network(ctx context.Context, c config.Net) (*model.Net, error) {
	if !a.wanted(c) {
		return nil, nil
	}
	n := &model.Net{Allow: slices.Concat(a.allow, c.Allow), Hostname: c.Hostname, Interfaces: c.Interfaces, Providers: map[string]*model.Spec{}}
	for _, path := range slices.Concat(a.stubs, c.Stubs) {
		stubs, err := config.Stubs(path)
		if err != nil {
			return nil, err
		}
		n.Stubs = append(n.Stubs, stubs...)
	}
	for _, host := range slices.Sorted(maps.Keys(c.Providers)) {
		a.providers = append(a.providers, host+"="+c.Providers[host])
	}
	for _, provider := range a.providers {
		if err := provide(ctx, n, provider); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// provide reads the spec of a host.
func provide(ctx context.Context, n *model.Net, provider string) error {
	host, source, ok := strings.Cut(provider, "=")
	if !ok || host == "" || source == "" {
		return fmt.Errorf("--provider %q is not like payments.example=payments.yaml", provider)
	}
	if n.Providers[host] != nil {
		return nil // the flag wins over the file
	}
	spec, err := openapi.Load(ctx, source, openapi.Options{})
	if err != nil {
		return fmt.Errorf("the spec of %q: %w", host, err)
	}
	n.Providers[host] = spec
	return nil
}

// args are the flags again.
func (a around) args() (line []string) {
	for _, flag := range []struct {
		on   bool
		name string
	}{{a.on, "--net"}, {a.off, "--no-net"}} {
		if flag.on {
			line = append(line, flag.name)
		}
	}
	for _, list := range []struct {
		name   string
		values []string
	}{{"--net-allow", a.allow}, {"--stubs", a.stubs}, {"--provider", a.providers}} {
		for _, v := range list.values {
			line = append(line, list.name, v)
		}
	}
	return line
}

// mostTold is how many hosts a report names.
const mostTold = 8

// hosts says to whom the service turned, and how much of that was answered.
func hosts(all []model.HostSeen) (lines []string) {
	for i, h := range all {
		if h.Protocol == model.DNS && h.Outcomes["answer"] == h.Count {
			continue // it then turned to that host
		}
		if len(lines) == mostTold {
			return append(lines, fmt.Sprintf("and %d more", len(all)-i))
		}
		way := string(h.Protocol)
		if h.TLS {
			way += " with TLS"
		}
		if h.Inward {
			way += ", its own port"
		}
		lines = append(lines, fmt.Sprintf("%s (%s): %s", h.Host, way, outcomes(h.Outcomes)))
	}
	return lines
}

// outcomes are what came of contacts, the most frequent first.
func outcomes(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	const most = 6
	var all []string
	for _, w := range names[:min(most, len(names))] {
		all = append(all, fmt.Sprintf("%d × %s", counts[w], w))
	}
	if more := len(names) - most; more > 0 {
		all = append(all, words.Plural(more, "other outcome"))
	}
	return strings.Join(all, ", ")
}

// hostReport is a host in the JSON of search.
type hostReport struct {
	Host     string         `json:"host"`
	Protocol model.Protocol `json:"protocol"`
	TLS      bool           `json:"tls,omitempty"`
	Inward   bool           `json:"inward,omitempty"`
	Count    int            `json:"count"`
	Outcomes map[string]int `json:"outcomes"`
	// Operations are those that turned to it.
	Operations []model.OpID `json:"operations,omitempty"`
}

func hostReports(all []model.HostSeen) (out []hostReport) {
	for _, h := range all {
		out = append(out, hostReport{Host: h.Host, Protocol: h.Protocol, TLS: h.TLS, Inward: h.Inward, Count: h.Count, Outcomes: h.Outcomes, Operations: h.Operations})
	}
	return out
}
