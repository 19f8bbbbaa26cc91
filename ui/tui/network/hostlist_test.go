package network

import (
	"testing"

	"sonde/model"
)

func TestWithInjected(t *testing.T) {
	known := model.HostSummary{
		Host:     "a.example:443",
		Protocol: model.HTTP,
		Injected: []model.Stub{{Host: "a.example:443", Protocol: model.HTTP, Repeat: true}},
	}
	stubs := []model.Stub{
		{Host: "b.example:25", Protocol: model.TCP},
		{Host: "a.example:443", Protocol: model.HTTP},
		{Host: "b.example:25", Protocol: model.TCP, Repeat: true},
	}
	got := withInjected([]model.HostSummary{known}, stubs)
	if len(got) != 2 || got[0].Host != known.Host || got[1].Host != "b.example:25" {
		t.Fatalf("hosts are %+v, want the known one and b.example", got)
	}
	if len(got[0].Injected) != 1 || got[0].Injected[0].Repeat {
		t.Errorf("at the known host are %+v, want the new stub only", got[0].Injected)
	}
	if len(got[1].Injected) != 2 {
		t.Errorf("at the new host are %+v, want two stubs", got[1].Injected)
	}
	if len(known.Injected) != 1 || !known.Injected[0].Repeat {
		t.Error("the original was changed")
	}
}

// The map has a title before each kind of host, and the cursor is never on a title.
func TestHostList(t *testing.T) {
	hosts := []model.HostSummary{
		{Host: ":80", Inward: true},
		{Host: "hostname", Protocol: model.Environment},
		{Host: "name.example", Protocol: model.DNS},
		{Host: "a.example:443", Protocol: model.HTTP},
		{Host: "b.example:443", Protocol: model.HTTP},
	}
	var l hostList
	if l.selected() != nil || len(l.lines()) != 0 {
		t.Error("an empty list has a selected host")
	}
	l.set(hosts)
	l.rows.Fit(len(l.lines()), 10)
	l.skipHeads(true)
	want := []string{"", "a.example:443", "b.example:443", "", "name.example", "", ":80", "", "hostname"}
	for i, line := range l.lines() {
		got := ""
		if line.host != nil {
			got = line.host.Host
		}
		if i >= len(want) || got != want[i] {
			t.Fatalf("line %d is %q, want %q", i, got, want)
		}
	}
	if got := l.selected().Host; got != "a.example:443" {
		t.Errorf("the first selected host is %s", got)
	}
	if !l.selectHost(hosts[0].HostKey()) || l.selected().Host != ":80" {
		t.Errorf("selected %v, want :80", l.selected())
	}
	if l.selectHost(model.HostKey{Host: "gone.example"}) || l.selected().Host != ":80" {
		t.Error("the cursor moved to a host that isn't there")
	}
}
