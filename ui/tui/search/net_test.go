package search

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
)

func TestVirtualNetwork(t *testing.T) {
	for _, c := range []struct {
		net          usecase.NetworkSupport
		first, right bool
	}{{usecase.NetworkUnavailable, false, false}, {usecase.NetworkAvailable, false, true}, {usecase.NetworkRequested, true, true}} {
		host := demo
		host.Net = c.net
		d := drive(t, host).press("enter").show(done()).press("n", "down", "down", "down", "right", "s")
		if got := d.settings; got[0].Net != c.first || got[1].Net != c.right {
			t.Errorf("network %d: %t, then %t; want %t, %t", c.net, got[0].Net, got[1].Net, c.first, c.right)
		}
		if view := d.screen.View(120, 33); strings.Contains(view, "virtual network") != c.right {
			t.Errorf("network %d: the title is wrong\n%s", c.net, view)
		}
	}
	host := demo
	host.Probes, host.Net = usecase.ProbesAvailable, usecase.NetworkAvailable
	drive(t, host).sees(
		"white-box            no", "network              no",
	).press("down", "down", "down", "down", "e", "x", "enter").sees(`"x" is neither yes nor no`)
}

// Commands from another screen are sent to the run. They are pending until the run has applied or refused
// them.
func TestWishes(t *testing.T) {
	reset := model.Stub{Host: "payments.example:443", Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetReset}}}
	gone := model.Stub{Host: reset.Host, Protocol: model.HTTP}
	wish := screen.SteerSearch{Commands: []model.Command{{Stub: &gone}, {Stub: &reset}}}
	d := drive(t, demo).send(wish)
	if want := []string{"No search is running that could do that: 5 starts one"}; !slices.Equal(d.messages, want) || len(d.waiting) > 0 {
		t.Errorf("said %q, waiting %v", d.messages, d.waiting)
	}
	d.press("enter").show(running()).send(wish).press("v", "v", "v")
	d.sees("asked: payments.example:443 nothing of its own", "asked: payments.example:443 reset")
	s := running()
	s.Marks = []model.AppliedCommand{{Call: 1240, Tuning: s.Tuning, Command: d.run.steers[0]}}
	d.show(s).sees("┆ payments.example:443 nothing of its own: from call 1,240")
	s.Refused = []model.Note{{Call: 1241, Text: "no such host"}}
	d.show(s)
	if want := []int{2, 1, 0}; !slices.Equal(d.waiting, want) {
		t.Errorf("waited for %v, want %v", d.waiting, want)
	}
	if view := ansi.Strip(d.screen.View(120, 33)); strings.Contains(view, "asked: payments") {
		t.Errorf("still asked for what is settled:\n%s", view)
	}
	d = starting(t).send(wish)
	if len(d.messages) != 1 || !strings.Contains(d.messages[0], "starting") {
		t.Errorf("said %q while the run starts", d.messages)
	}
}

// If a mutation has changed the answers of a host, the text about the test's creation says so.
func TestChangedOutside(t *testing.T) {
	if text := ruleText(&model.TestLineage{
		Rule:   model.FromMutation,
		Parent: "t7",
		Change: "outside",
	}); text != "mutated from t7, by changing what other hosts answer" {
		t.Errorf("got %q", text)
	}
}
