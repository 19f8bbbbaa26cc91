package runner

import (
	"bytes"
	"cmp"
	"slices"

	"sonde/model"
	"sonde/runner/vnet"
)

// network is the virtual network around one copy of the service. A nil one is the
// real one.
type network struct {
	*vnet.Network
	began bool // what the service did at its start is known
}

// newNetwork makes the network of a plan, nil where it has none.
func newNetwork(n *model.Net) (*network, error) {
	if n == nil {
		return nil, nil
	}
	v, err := vnet.New(vnet.Options{Ground: n.Ground, Allow: n.Allow, Stubs: n.Stubs, Hostname: n.Hostname, Interfaces: n.Interfaces, Resolve: true})
	if err != nil {
		return nil, err
	}
	return &network{Network: v}, nil
}

// begin lets the hosts around the service answer as a test has it.
func (n *network) begin(t model.Test) error {
	if n == nil {
		return nil
	}
	return n.Begin(t.Stubs)
}

// hangUp ends the talks of the test before, which the reset is to undo.
func (n *network) hangUp() {
	if n != nil {
		n.HangUp()
	}
}

// speak lets the hosts speak that speak first. What the service does about it is of the
// test.
func (n *network) speak() {
	if n != nil {
		n.Speak()
	}
}

// end is what the service did with the network since begin, in an order that does not
// follow from what came first of what it did at once: else the same seed would not find
// the same.
func (n *network) end() []model.Contact {
	if n == nil {
		return nil
	}
	n.Idle()
	all := passing(n.End())
	slices.SortStableFunc(all, inOrder)
	return all
}

// soFar is what the service did with the network in the test that goes on.
func (n *network) soFar() []model.Contact {
	if n == nil {
		return nil
	}
	return n.SoFar()
}

// start is what the service did with the network before its first test, once.
func (n *network) start() []model.Contact {
	if n == nil || n.began {
		return nil
	}
	n.began = true
	return n.Startup()
}

// kinds are those of contacts as they follow one another.
var kinds = []model.ContactKind{model.Listen, model.Lookup, model.Dial, model.Message}

// inOrder compares contacts by call and kind, and then by what they are.
func inOrder(a, b model.Contact) int {
	return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), cmp.Compare(a.Host, b.Host),
		cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.Request.Method, b.Request.Method), cmp.Compare(a.Request.URL, b.Request.URL),
		cmp.Compare(a.Outcome, b.Outcome), bytes.Compare(a.Said, b.Said))
}

// passing takes the numbers from ports that the service opened during a call: the next
// time they are others.
func passing(all []model.Contact) []model.Contact {
	opened := map[string]bool{}
	for i := range all {
		c := &all[i]
		if c.Inward && c.Call >= 0 && c.Kind == model.Listen {
			opened[c.Host] = true
		}
		if c.Inward && opened[c.Host] {
			c.Host = model.AnyPort
		}
	}
	return all
}

// open is how many connections the service has open, by host.
func (n *network) open() map[string]int {
	if n == nil {
		return nil
	}
	return n.Network.Open()
}

// escapes are what the service did that the network does not hold.
func (n *network) escapes() []string {
	if n == nil {
		return nil
	}
	return n.Escapes()
}

// calling is called before each call of a test, nil where nobody wants to know.
func (n *network) calling() func(call int) {
	if n == nil {
		return nil
	}
	return n.Calling
}

func (n *network) close() {
	if n != nil {
		_ = n.Close() // what it leaves are temporary files
	}
}

// mostOutcomes bounds the targets outside the service: a service may make up hosts.
const mostOutcomes = 500

// outcomes are the targets of what became of the service's contacts: what a host did,
// each once, and of all hosts that it was told of, once. That a connection came about is
// none, for it depends on those that the service kept of earlier tests.
func (t *targets) outcomes(contacts []model.Contact, told func(host string) bool) (all []model.Score) {
	for _, c := range contacts {
		if c.Outcome == "connected" {
			continue
		}
		if told(c.Host) {
			c.Host = "told"
		}
		id := outcomeOf(c)
		if _, known := t.numbers[id]; !known && t.hosts >= mostOutcomes {
			continue
		} else if !known {
			t.hosts++
		}
		all = append(all, t.score(t.number(id, ""), 1))
	}
	return all
}

// outcomeOf is the target of a contact.
func outcomeOf(c model.Contact) string { return string(c.Kind) + " " + c.Host + " " + c.Outcome }
