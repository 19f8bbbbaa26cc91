package network

import (
	"reflect"
	"slices"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

// handed sends the result of a manual request during which the service contacted hosts.
func (d *driver) handed(hosts ...model.HostSummary) *driver {
	return d.send(screen.RequestSent{Result: usecase.SendResult{Net: true, Hosts: hosts}})
}

// The hosts of manual requests are shown. If the user injects stubs for these hosts, the stubs apply to the next
// requests, and the other screens get a message.
func TestByHand(t *testing.T) {
	hosts := shop()[1:4]
	hosts[1].Injected = nil
	d := drive(t, demo).handed(hosts...).sees("Network · 3 hosts · manual requests", "payments.example:443")
	d.press("i", "end", "enter")
	want := d.around.Stubs
	if len(d.wishes) > 0 || len(want) != 1 || want[0].Host != charge.Host ||
		want[0].Answers[0].Fault != model.NetTruncatedJSON || !d.around.Net {
		t.Fatalf("wished for %+v, around it is %+v", d.wishes, d.around)
	}
	d.sees("injected  ◆ truncated-json").handed(hosts...).sees("injected  ◆ truncated-json")
	drive(t, demo).handed().sees("has contacted no other host")
	d.press("x")
	if len(d.around.Stubs) != 0 {
		t.Errorf("around it is %+v", d.around)
	}
	d.misses("injected  ").press("x")
	if d.message != "Nothing is injected at payments.example:443: i injects a stub" {
		t.Errorf("said %q", d.message)
	}
}

// The user can write a stub for a host before the service contacts the host.
func TestBeforehand(t *testing.T) {
	d := drive(t, demo).press("n", "ctrl+s")
	if len(d.around.Stubs) != 1 || d.around.Stubs[0].Host != exampleStub.Host || !d.around.Net {
		t.Fatalf("around it is %+v", d.around)
	}
	d.sees("payments.example:443", "injected  ◆ 200").press("e").write(" ").press("ctrl+s")
	if len(d.around.Stubs) != 1 {
		t.Errorf("edited, there are %+v", d.around.Stubs)
	}
}

// The stubs of a run also apply to manual requests after the run.
func TestAfterARun(t *testing.T) {
	d := running(t)
	if !slices.EqualFunc(d.around.Stubs, []model.Stub{reset}, func(a, b model.Stub) bool { return reflect.DeepEqual(a, b) }) ||
		!d.around.Net {
		t.Errorf("around it is %+v", d.around)
	}
	d.over().press("i", "end", "enter")
	if len(d.wishes) > 0 || len(d.around.Stubs) != 2 {
		t.Errorf("wished for %+v, around it is %+v", d.wishes, d.around)
	}
}

// The user can choose between the virtual and the real network, if there is a virtual one.
func TestSurround(t *testing.T) {
	if d := drive(t, demo).send(screen.UseNetwork{Virtual: true}); !d.around.Net {
		t.Error("there is no virtual network")
	}
	if d := drive(t, screen.Service{URL: "http://127.0.0.1:1"}).send(screen.UseNetwork{Virtual: true}); d.around.Net {
		t.Error("there is a virtual network around a service that Sonde does not build")
	}
	if d := running(t).send(screen.UseNetwork{Virtual: false}); !d.around.Net {
		t.Error("the network of a running search was removed")
	}
}
