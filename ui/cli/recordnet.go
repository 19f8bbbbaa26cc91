package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"sonde/model"
	"sonde/runner/record"
	"sonde/runner/sut"
	"sonde/runner/vnet"

	"github.com/spf13/pflag"
)

// recordNet is the network of a Go service that Sonde builds to record it: what it sends
// goes through that, without a word to the service.
type recordNet struct {
	on, off bool
	allow   []string
	build   *building // nil where the service has none
	dir     string    // in which it is built
	net     *vnet.Recorder
}

func (n *recordNet) add(f *pflag.FlagSet) {
	f.BoolVar(&n.on, "net", false, "with --demo, build the demo with a network of its own, so that all that it sends is recorded; what sonde.yaml builds has that anyway")
	f.BoolVar(&n.off, "no-net", false, "leave the service that sonde.yaml builds the real network: of what it sends only that to --out is recorded")
	f.StringArrayVar(&n.allow, "net-allow", nil, "a host:port that such a service reaches by itself, unrecorded (repeat for several)")
}

// choose finds out whether the service is one that gets such a network.
func (f *recordFlags) choose() error {
	n := &f.network
	theirs := len(f.command) > 0 || f.config.Driver != ""
	switch {
	case n.on && n.off:
		return errors.New("--net and --no-net are there: say one of them")
	case f.demo && n.on && !theirs:
		n.build = demoBuilding()
		n.build.outside()
	case f.config.builds() && !theirs && !n.off:
		n.build = buildingOf(f.config.Service, f.config.URL)
	case n.on:
		return errors.New("--net needs a service that Sonde builds: say sut: {build: ./cmd/server} in sonde.yaml, or --demo")
	case len(n.allow) > 0:
		return fmt.Errorf("--net-allow %q is about a service that Sonde builds: say sut: {build: ./cmd/server} in sonde.yaml", n.allow[0])
	}
	if n.build != nil {
		f.service.start = &n.build.service
	}
	return nil
}

// behind are the ways to the hosts in whose place the monitor stands: none where the
// service has a network of its own, which leads to them.
func (f *recordFlags) behind() ([]record.Way, error) {
	if f.network.build != nil {
		return nil, nil
	}
	return parsed("--out", f.out, "http", "https", "tcp", "udp")
}

// relay is how what the service sends is passed on.
func (f *recordFlags) relay(m *record.Monitor) (vnet.Relay, error) {
	r := vnet.Relay{To: map[string]string{}, Allow: f.network.allow, Insecure: f.insecure, Heard: m.Within, Note: m.Unrecorded, Trace: m.Traced}
	if f.secure != nil {
		r.Roots = f.secure.RootCAs
	}
	for _, text := range f.out {
		host, to, ok := strings.Cut(text, "=")
		if !ok {
			return r, fmt.Errorf("--out: %q is not like payments.example:443=http://127.0.0.1:7001", text)
		}
		r.To[host] = to
	}
	return r, nil
}

// surrounded is how the service starts, and on which network.
func (f *recordFlags) surrounded(ctx context.Context, m *record.Monitor) (*model.Service, sut.Network, error) {
	n := &f.network
	if n.build == nil {
		return f.service.start, nil, nil
	}
	relay, err := f.relay(m)
	if err != nil {
		return nil, nil, err
	}
	n.net, err = vnet.Record(relay)
	if err != nil {
		return nil, nil, fmt.Errorf("--out: %w", err)
	}
	n.dir, err = os.MkdirTemp("", "sonde-build-")
	if err != nil {
		return nil, nil, fmt.Errorf("there is no place to build the service: %w", err)
	}
	r, err := n.build.build(ctx, n.dir, false, true)
	if err != nil {
		return nil, nil, err
	}
	return n.build.started(r.Binary), n.net, nil
}

// flush takes what is not over yet.
func (n *recordNet) flush() {
	if n.net != nil {
		n.net.Flush()
	}
}

// close ends the network, and removes what was built.
func (n *recordNet) close() {
	if n.net != nil {
		_ = n.net.Close() // its folder is only a temporary one
	}
	if n.dir != "" {
		_ = os.RemoveAll(n.dir)
	}
}
