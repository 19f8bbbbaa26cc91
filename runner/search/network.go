package search

import (
	"bytes"
	"cmp"
	"slices"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// virtualNetwork is the virtual network around one copy of the service. A nil one is the
// real one.
type virtualNetwork struct {
	Network *netsim.Network
	began   bool // what the service did at its start is known
}

// newVirtualNetwork makes the network of a plan, nil where it has none.
func newVirtualNetwork(n *model.VirtualNetwork) (*virtualNetwork, error) {
	if n == nil {
		return nil, nil
	}
	v, err := netsim.New(netsim.Options{
		Ground:     n.Backend,
		Allow:      n.Allow,
		Stubs:      n.Stubs,
		Hostname:   n.Hostname,
		Interfaces: n.Interfaces,
		Resolve:    true,
	})
	if err != nil {
		return nil, err
	}
	return &virtualNetwork{Network: v}, nil
}

// begin lets the hosts around the service answer as a test has it.
func (n *virtualNetwork) begin(t model.Test) error {
	if n == nil {
		return nil
	}
	return n.Network.BeginTest(t.Stubs)
}

// hangUp ends the talks of the test before, which the reset is to undo.
func (n *virtualNetwork) hangUp() {
	if n != nil {
		n.Network.CloseStreams()
	}
}

// speak lets the hosts speak that speak first. What the service does about it is of the
// test.
func (n *virtualNetwork) speak() {
	if n != nil {
		n.Network.StartInward()
	}
}

// end is what the service did with the network since begin, in an order that does not
// follow from what came first of what it did at once: else the same seed would not find
// the same.
func (n *virtualNetwork) end() []model.Contact {
	if n == nil {
		return nil
	}
	n.Network.EndCall()
	all := withoutOpenedPorts(n.Network.EndTest())
	slices.SortStableFunc(all, compareContacts)
	return all
}

// soFar is what the service did with the network in the test that goes on.
func (n *virtualNetwork) soFar() []model.Contact {
	if n == nil {
		return nil
	}
	return n.Network.Contacts()
}

// start is what the service did with the network before its first test, once.
func (n *virtualNetwork) start() []model.Contact {
	if n == nil || n.began {
		return nil
	}
	n.began = true
	return n.Network.StartupContacts()
}

// contactOrder are those of contacts as they follow one another.
var contactOrder = []model.ContactKind{model.ContactListen, model.ContactLookup, model.ContactDial, model.ContactMessage}

// compareContacts compares contacts by call and kind, and then by what they are.
func compareContacts(a, b model.Contact) int {
	return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(
		slices.Index(contactOrder, a.Kind), slices.Index(contactOrder, b.Kind),
	), cmp.Compare(a.Host, b.Host),
		cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.Request.Method, b.Request.Method), cmp.Compare(a.Request.URL, b.Request.URL),
		cmp.Compare(a.Outcome, b.Outcome), bytes.Compare(a.Data, b.Data))
}

// withoutOpenedPorts takes the numbers from ports that the service opened during a call: the next
// time they are others.
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

// open is how many connections the service has open, by host.
func (n *virtualNetwork) open() map[string]int {
	if n == nil {
		return nil
	}
	return n.Network.OpenConnections()
}

// escapes are what the service did that the network does not hold.
func (n *virtualNetwork) escapes() []string {
	if n == nil {
		return nil
	}
	return n.Network.Escapes()
}

// calling is called before each call of a test, nil where nobody wants to know.
func (n *virtualNetwork) calling() func(call int) {
	if n == nil {
		return nil
	}
	return n.Network.BeginCall
}

func (n *virtualNetwork) close() {
	if n != nil {
		_ = n.Network.Close() // what it leaves are temporary files
	}
}
