package search

import (
	"testing"

	"sonde/model"
)

// An operation that uses a resource is played again with each fault of the resource, once.
func TestFaultsOfResources(t *testing.T) {
	h := &hostReplays{counts: map[hostContact]int{}}
	all := []model.NetFault{model.NetAddressInUse, model.NetPermissionDenied}
	for i := range 3 { // further uses of the resource may add faults
		h.addFaults("GET /a", hostReplay{parent: "t1", resource: "7000/tcp"}, all[:min(i+1, 2)])
	}
	h.addFaults("GET /b", hostReplay{parent: "t2", resource: "7000/tcp"}, all)
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
