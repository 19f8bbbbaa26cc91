package search

import (
	"slices"
	"testing"

	"sonde/model"
)

// An operation that uses a resource is played again once with each fault of the resource.
func TestFaultsOfResources(t *testing.T) {
	h := &hostReplays{counts: map[hostContact]int{}}
	all := []model.NetFault{model.NetAddressInUse, model.NetPermissionDenied}
	for i := range 3 { // further uses of the resource may add faults
		h.addFaults("GET /a", hostReplay{parent: "t1", resource: "7000/tcp"}, all[:min(i+1, 2)])
	}
	h.addFaults("GET /b", hostReplay{parent: "t2", resource: "7000/tcp"}, all)
	if len(h.uses) != 4 {
		t.Fatalf("%d replays", len(h.uses))
	}
	for i, want := range []hostReplay{
		{parent: "t1", resource: "7000/tcp", fault: model.NetAddressInUse},
		{parent: "t1", resource: "7000/tcp", fault: model.NetPermissionDenied},
		{parent: "t2", resource: "7000/tcp", fault: model.NetAddressInUse},
		{parent: "t2", resource: "7000/tcp", fault: model.NetPermissionDenied},
	} {
		if h.uses[i] != want {
			t.Errorf("replay %d is %+v, want %+v", i, h.uses[i], want)
		}
	}
	h.waiting = []hostReplay{{parent: "t3"}}
	if first, second := h.next(), h.next(); first.parent != "t3" || second.parent != "t1" || len(h.waiting) != 0 || len(h.uses) != 3 {
		t.Errorf("replays %+v and %+v are first", first, second)
	}
}

// A fault of a resource that many operations use is played with a few of them.
func TestFaultsOfManyOperations(t *testing.T) {
	h := &hostReplays{counts: map[hostContact]int{}}
	for _, op := range []model.OpID{"a", "b", "c", "d", "e"} {
		h.addFaults(op, hostReplay{resource: "./log"}, []model.NetFault{model.NetNoSpace, model.NetIOError})
	}
	if len(h.uses) != 2*maxFaultReplays {
		t.Errorf("%d replays", len(h.uses))
	}
}

// If a service reads the name of its machine in each test, there is only one replay with another name.
func TestHostnameReplays(t *testing.T) {
	h := &hostReplays{counts: map[hostContact]int{}}
	for range 3 {
		h.add(hostContact{"a", model.HostnameResource}, hostReplay{}, model.Contact{Kind: model.ContactUse, Stub: -1})
	}
	if len(h.waiting) != 1 {
		t.Errorf("%d replays", len(h.waiting))
	}
	h.add(hostContact{"a", "payments.example:80"}, hostReplay{}, model.Contact{Kind: model.ContactDial, Stub: -1})
	if len(h.waiting) != 1+firstHostReplays {
		t.Errorf("%d replays with a host", len(h.waiting))
	}
}

// usesBefore.count returns the number of uses during earlier calls. One contact may count several uses.
func TestUsesBeforeTheFault(t *testing.T) {
	use := func(call, uses int) model.Contact {
		return model.Contact{
			Kind: model.ContactUse, Protocol: model.Environment, Host: "./log", Data: []byte("create ./log"), Call: call, Uses: uses,
			Stub: -1, Answer: -1, Outcome: model.OutcomeWorks,
		}
	}
	before, contacts := usesBefore{}, []model.Contact{use(0, 3), use(0, 2), use(2, 1), use(3, 1)}
	var got []int
	for _, c := range contacts {
		got = append(got, before.count(c, c.Host))
	}
	if !slices.Equal(got, []int{0, 0, 5, 6}) {
		t.Errorf("got %d", got)
	}
}

// Even if no answer to a test says that something changed, the test may have changed the service. This is so only if
// the service contacted a host, or if a resource failed.
func TestContactsThatMayChange(t *testing.T) {
	for _, c := range []struct {
		contact model.Contact
		want    bool
	}{
		{model.Contact{Kind: model.ContactMessage, Stub: -1}, true},
		{model.Contact{Kind: model.ContactUse, Host: "./a", Stub: -1, Outcome: model.OutcomeWorks}, false},
		{model.Contact{Kind: model.ContactUse, Host: "./a", Stub: 0, Outcome: model.OutcomeWorks}, false},
		{model.Contact{Kind: model.ContactUse, Host: "./a", Stub: 0, Outcome: string(model.NetNoSpace)}, true},
		{model.Contact{Kind: model.ContactUse, Host: "hostname", Stub: 0, Outcome: "answer"}, false},
	} {
		if got := mayHaveChanged(c.contact); got != c.want {
			t.Errorf("%+v: got %t", c.contact, got)
		}
	}
}
