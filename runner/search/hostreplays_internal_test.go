package search

import (
	"testing"

	"sonde/model"
)

// An operation that uses a resource is played again with each fault of the resource, once.
func TestFaultsOfResources(t *testing.T) {
	h := &hostReplays{counts: map[hostContact]int{}}
	for range 3 {
		h.addFaults(hostContact{"GET /a", "7000/tcp"}, hostReplay{parent: "t1"})
	}
	h.addFaults(hostContact{"GET /b", "7000/tcp"}, hostReplay{parent: "t2"})
	if len(h.waiting) != 4 {
		t.Fatalf("%d replays", len(h.waiting))
	}
	for i, want := range []hostReplay{
		{parent: "t1", resource: "7000/tcp", fault: model.NetAddressInUse},
		{parent: "t1", resource: "7000/tcp", fault: model.NetPermissionDenied},
		{parent: "t2", resource: "7000/tcp", fault: model.NetAddressInUse},
		{parent: "t2", resource: "7000/tcp", fault: model.NetPermissionDenied},
	} {
		if h.waiting[i] != want {
			t.Errorf("replay %d is %+v, want %+v", i, h.waiting[i], want)
		}
	}
}
