package search

import (
	"bytes"
	"cmp"
	"slices"
	"sync/atomic"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// virtualNetwork is the virtual network around one copy of the service. A nil virtualNetwork is the real network; its
// methods do nothing.
type virtualNetwork struct {
	Network       *netsim.Network
	permanent     []model.Stub               // answer in every test
	startReturned bool                       // startupContacts has returned the contacts
	test          atomic.Pointer[model.Test] // the test of the last beginTest, nil before the first
}

// newVirtualNetwork returns the network of a plan, nil if it has none.
func newVirtualNetwork(n *model.VirtualNetwork) (*virtualNetwork, error) {
	if n == nil {
		return nil, nil
	}
	v, err := netsim.New(netsim.Options{
		Ground:         n.Ground,
		Allow:          n.Allow,
		Stubs:          n.PermanentStubs(),
		Hostname:       n.Hostname,
		Interfaces:     n.Interfaces,
		ResolveAnyName: true,
	})
	if err != nil {
		return nil, err
	}
	return &virtualNetwork{Network: v, permanent: n.PermanentStubs()}, nil
}

// beginStart prepares for another process of the service. Only permanent stubs answer the new process until the next
// test begins.
func (v *virtualNetwork) beginStart() error {
	if v == nil {
		return nil
	}
	return v.Network.BeginStart(v.permanent)
}

// beginTest sets the stubs of a test and forgets the contacts so far.
func (v *virtualNetwork) beginTest(t model.Test) error {
	if v == nil {
		return nil
	}
	v.test.Store(&t)
	return v.Network.BeginTest(t.Stubs)
}

// closeStreams closes the streams of the previous test. The worker calls it before the reset, so that the reset also
// undoes what the service does at the end of a stream.
func (v *virtualNetwork) closeStreams() {
	if v != nil {
		v.Network.CloseStreams()
	}
}

// startInward starts the hosts that call the service or send the first message. What the service does in response
// belongs to the test.
func (v *virtualNetwork) startInward() {
	if v != nil {
		v.Network.StartInward()
	}
}

// endTest returns the contacts since beginTest, sorted. The order does not depend on which of several simultaneous
// contacts came first, because the same seed must give the same result.
func (v *virtualNetwork) endTest() []model.Contact {
	if v == nil {
		return nil
	}
	v.Network.EndCall()
	all := withoutOpenedPorts(v.Network.EndTest())
	slices.SortStableFunc(all, compareContacts)
	return all
}

// contacts returns the current test and its contacts so far. Before the first test these are the contacts of the
// service's start. Any goroutine may call it.
func (v *virtualNetwork) contacts() (model.Test, []model.Contact) {
	if v == nil {
		return model.Test{}, nil
	}
	for {
		t := v.test.Load()
		all := v.Network.Contacts()
		switch {
		case v.test.Load() != t: // the contacts may belong to the next test
		case t == nil:
			return model.Test{}, all
		default:
			return *t, all
		}
	}
}

// startupContacts returns the contacts of the service before its first test. It returns nil when it is called again.
func (v *virtualNetwork) startupContacts() []model.Contact {
	if v == nil || v.startReturned {
		return nil
	}
	v.startReturned = true
	return v.Network.StartupContacts()
}

// contactOrder lists the kinds of contacts in the order in which they follow each other.
var contactOrder = []model.ContactKind{
	model.ContactUse, model.ContactListen, model.ContactLookup, model.ContactDial, model.ContactMessage,
}

// compareContacts compares contacts by call, then by kind, then by content.
func compareContacts(a, b model.Contact) int {
	return cmp.Or(
		cmp.Compare(a.Call, b.Call),
		cmp.Compare(slices.Index(contactOrder, a.Kind), slices.Index(contactOrder, b.Kind)),
		cmp.Compare(a.Host, b.Host),
		cmp.Compare(a.Protocol, b.Protocol),
		cmp.Compare(a.Request.Method, b.Request.Method),
		cmp.Compare(a.Request.URL, b.Request.URL),
		cmp.Compare(a.Outcome, b.Outcome),
		bytes.Compare(a.Data, b.Data),
	)
}

// withoutOpenedPorts replaces the numbers of ports that the service opened during a call, because they differ in each
// run.
func withoutOpenedPorts(all []model.Contact) []model.Contact {
	opened := map[string]bool{}
	for i := range all {
		c := &all[i]
		if c.Inward && c.Call >= 0 && c.Kind == model.ContactListen {
			opened[c.Host] = true
		}
		if c.Inward && opened[c.Host] {
			c.Host = model.AnyPort
		}
	}
	return all
}

// openConnections returns the open connections of the service to each host, nil for the real network.
func (v *virtualNetwork) openConnections() map[string]netsim.Open {
	if v == nil {
		return nil
	}
	return v.Network.OpenConnections()
}

// escapes describes the network use of the service outside the virtual network.
func (v *virtualNetwork) escapes() []string {
	if v == nil {
		return nil
	}
	return v.Network.Escapes()
}

// beforeCall returns the function that the client calls before each call of a test. It is nil for the real network.
func (v *virtualNetwork) beforeCall() func(call int) {
	if v == nil {
		return nil
	}
	return v.Network.BeginCall
}

func (v *virtualNetwork) close() {
	if v != nil {
		_ = v.Network.Close() // an error leaves temporary files, nothing else
	}
}
