package cli

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/instrument/probe"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
)

var (
	netSeeds = flag.Int("net", 0, "number of seeds for measuring the gain from searching the answers of other hosts")
	netCalls = flag.Int("net-calls", 10_000, "the calls of each of these searches")
	netOn    = flag.String("net-on", "", "measure only the service of this name")
)

// networkServices are services whose behaviour depends on data from other hosts.
var networkServices = []string{"handshake", "chat", "page", "retry", "whois"}

// probedNetworkService builds one of networkServices with a virtual network. Its best test is in
// best.json.
func probedNetworkService(t *testing.T, name string) probed {
	t.Helper()
	dir := filepath.Join("../../runner/testdata/network", name)
	c, err := config.Load(filepath.Join(dir, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := openapi.Load(context.Background(), c.Spec, openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := service.Configuration{Config: c}
	p := built(t, name, spec, searchrun.Settings{Service: own.ServiceAt("", spec), Config: own, Network: service.Network{On: true}}, target{
		name: name, reachable: pairs(t, filepath.Join(dir, "reachable.txt")), faults: plantedFaults(t, filepath.Join(dir, "README.md")),
	})
	var best struct{ Tests []model.Test }
	data, err := os.ReadFile(filepath.Join(dir, "best.json"))
	if err == nil {
		err = json.Unmarshal(data, &best)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.best = p.replayed(t, best.Tests)
	return p
}

// plantedFaults returns the IDs of the faults that a service's README lists.
func plantedFaults(t *testing.T, page string) (ids []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range regexp.MustCompile(`(?m)^\| (F[0-9]+) \|`).FindAllStringSubmatch(string(text), -1) {
		ids = append(ids, row[1])
	}
	return ids
}

// probedDemoWithHosts builds the demo with probes and a virtual network, so that it calls the three hosts on which it
// depends.
func probedDemoWithHosts(t *testing.T) probed {
	t.Helper()
	spec, err := service.LoadDemo(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	b := service.DemoBuilder()
	b.UseOutsideHosts()
	b.Service.Command = append(b.Service.Command, "--reveal")
	s := service.Service{Users: service.DemoAt("").Users, Reset: service.DemoAt("").Reset, Owners: service.DemoAt("").Owners, Builder: b}
	p := built(t, "demo", spec, searchrun.Settings{Service: s, Network: service.Network{On: true}}, theDemo(t))
	p.best = p.counted(t, playBest)
	return p
}

// closed returns a copy of p whose virtual network has no hosts but those of its stubs.
func (p probed) closed() probed {
	n := *p.plan.Net
	n.Closed = true
	p.plan.Net = &n
	return p
}

// TestNet measures how much more a search reaches if it also varies the answers of other hosts. Run it by:
//
//	go test ./ui/cli -run 'TestNet$' -net 10 -v -timeout 2h
func TestNet(t *testing.T) {
	if *netSeeds == 0 {
		t.Skip("measures only with -net SEEDS")
	}
	for _, name := range append(networkServices, "demo") {
		if *netOn != "" && *netOn != name {
			continue
		}
		p := probedDemoWithHosts
		if name != "demo" {
			p = func(t *testing.T) probed { return probedNetworkService(t, name) }
		}
		measureNet(t, p(t))
	}
}

func measureNet(t *testing.T, p probed) {
	t.Helper()
	var first probedFigures
	for i, way := range []struct {
		name string
		probed
	}{{"without", p.closed()}, {"with the network", p}} {
		s := way.searches(t, false, model.DefaultSampling(), *netCalls, *netSeeds)
		way.replay(t, &s)
		if i == 0 {
			first = s
		}
		compare(t, p.name, way.name, "of the suite, %", s.kept, first.kept)
		s.log(t, p.name, way.name, first.searchFigures)
		best := 100 * probe.CountStatements(p.best).Fraction()
		t.Logf("%-10s %-18s of the best test's %.1f%%: %.0f%%", p.name, way.name, best, 100*median(s.kept)/best)
		t.Logf("%-10s %-18s lost: %s", p.name, way.name, tally(s.lost))
	}
}
