//go:build unix

package net

import (
	"internal/poll"
	"net/netip"
	"sync/atomic"
	"syscall"
)

// sondeTable is the virtual network.
type sondeTable struct {
	resolve  bool // names that are not here have an address of their own
	names    map[string]*sondeHost
	routes   map[sondePlace]*sondeRoute
	back     map[sondePlace]sondeSender
	binds    map[sondePlace]uint16 // by places without an address, as is
	watched  map[sondePlace]bool
	allowed  []sondeAllowed
	hostname string
	links    []sondeLink
}

// sondePlace is where a socket listens: a zero address is any.
type sondePlace struct {
	proto string // tcp or udp
	at    netip.AddrPort
}

// sondeWay is where a place leads.
type sondeWay struct {
	to    netip.AddrPort // a real address
	real  bool           // it leads there in the real network
	errno syscall.Errno  // it leads nowhere
	lost  bool           // it leads nowhere, without an error
	watch bool           // sockets that go there are watched
}

// sondeRoute are the ways of a place, one for each use.
type sondeRoute struct {
	sondeScript
	ways []sondeWay
}

// sondeScript is a sequence of steps: after the last one it stays there or begins
// again.
type sondeScript struct {
	again bool
	done  atomic.Uint32
}

// next returns the index of the step for now, of so-many steps, and advances.
func (s *sondeScript) next(of int) int { return s.at(of, s.done.Add(1)-1) }

// now returns the index of the next step.
func (s *sondeScript) now(of int) int { return s.at(of, s.done.Load()) }

func (s *sondeScript) at(of int, n uint32) int {
	if s.again {
		return int(n % uint32(of))
	}
	return int(min(n, uint32(of-1)))
}

// sondeSender is the address under which the sender at a real address is seen.
type sondeSender struct {
	virtual netip.AddrPort
	watch   bool
}

// sondeAllowed is a place that stays real; port 0 is all.
type sondeAllowed struct {
	proto, name string
	addr        netip.Addr
	port        uint16
}

// sondeNow is the current table, nil if the network is the real one.
var sondeNow atomic.Pointer[sondeTable]

// sondeSetTable parses a table and makes it the current one.
func sondeSetTable(text string) error {
	head, rest, _ := sondeCut(text, '\n')
	switch head {
	case "off":
		(*sondeTable)(nil).set()
		return nil
	case "net 1", "record 1":
	default:
		return errSondeTable
	}
	t := &sondeTable{
		names: map[string]*sondeHost{}, routes: map[sondePlace]*sondeRoute{},
		back: map[sondePlace]sondeSender{}, binds: map[sondePlace]uint16{}, watched: map[sondePlace]bool{},
	}
	for rest != "" {
		var line string
		line, rest, _ = sondeCut(rest, '\n')
		if f := sondeFields(line); len(f) > 0 && !t.read(f) {
			sondeComplain("the table of the virtual network has a line that says nothing: " + line)
		}
	}
	if head == "record 1" {
		t.record()
	} else {
		t.set()
	}
	return nil
}

// record makes the service be recorded on the real network, except for what the table
// says.
func (t *sondeTable) record() {
	(*sondeTable)(nil).set()
	sondeRecords.Store(t)
	poll.SondeVirtual.Store(true) // so that its authority is trusted
	poll.SondeRecords.Store(true)
}

// set makes a table the current one; nil is the real network.
func (t *sondeTable) set() {
	sondeNow.Store(t)
	sondeRecords.Store(nil)
	poll.SondeRecords.Store(false)
	sondeSent.forget()
	poll.SondeVirtual.Store(t != nil)
	if t == nil || t.hostname == "" {
		poll.SondeHostname.Store(nil)
		return
	}
	poll.SondeHostname.Store(&t.hostname)
}

// read parses a line, and reports whether it is known.
func (t *sondeTable) read(f []string) bool {
	switch {
	case f[0] == "unknown" && len(f) == 2:
		t.resolve = f[1] == "resolve"
		return t.resolve || f[1] == "absent"
	case len(f) >= 2 && sondeIsOfNames(f[0]):
		return t.readName(f[0], sondeName(f[1]), f[2:])
	case f[0] == "route" && len(f) >= 4:
		return t.readRoute(f[1], f[2], f[3:])
	case f[0] == "bind" && len(f) == 4:
		return t.readBind(f[1], sondeInt(f[2]), sondeInt(f[3]))
	case f[0] == "watch" && len(f) == 3:
		t.watched[sondePortOf(f[1], uint16(sondeInt(f[2])))] = true
		return true
	case f[0] == "allow" && len(f) == 3:
		return t.readAllowed(f[1], f[2])
	case f[0] == "hostname" && len(f) == 2:
		t.hostname = f[1]
		return true
	case f[0] == "iface" && len(f) == 3:
		return t.readLink(f[1], f[2])
	}
	return false
}

var sondeErrnos = map[string]syscall.Errno{
	"ECONNREFUSED": syscall.ECONNREFUSED, "ECONNRESET": syscall.ECONNRESET, "ECONNABORTED": syscall.ECONNABORTED,
	"ETIMEDOUT":   syscall.ETIMEDOUT,
	"ENETUNREACH": syscall.ENETUNREACH, "EHOSTUNREACH": syscall.EHOSTUNREACH, "EAGAIN": syscall.EAGAIN,
	"EPIPE": syscall.EPIPE, "EPERM": syscall.EPERM,
}

// readRoute parses where a place leads: the first time, the second and so on. A route
// works both ways: a sender at its end is seen as being at the place.
func (t *sondeTable) readRoute(proto, from string, to []string) bool {
	at, ok := sondeParsePlace(proto, from)
	r, watch := &sondeRoute{}, false
	for _, f := range to {
		switch w, known := sondeParseWay(f); {
		case f == "again":
			r.again = true
		case f == "watch":
			watch = true
		default:
			ok = ok && known
			r.ways = append(r.ways, w)
		}
	}
	if !ok || len(r.ways) == 0 {
		return false
	}
	t.routes[at] = r
	for i := range r.ways {
		r.ways[i].watch = watch
		if to := r.ways[i].to; to.IsValid() && at.at.Addr().IsValid() {
			t.back[sondePlace{proto, to}] = sondeSender{at.at, watch}
		}
	}
	return true
}

// sondeParseWay parses an end of a route: "127.0.0.1:4000", "!ECONNREFUSED", "!".
func sondeParseWay(s string) (sondeWay, bool) {
	if s[0] == '!' {
		errno, known := sondeErrnos[s[1:]]
		return sondeWay{errno: errno, lost: s == "!"}, known || s == "!"
	}
	to, err := netip.ParseAddrPort(s)
	return sondeWay{to: to}, err == nil
}

// sondeParsePlace parses a place: "198.18.0.1:80", "[fd00::1]:80", "*:80".
func sondeParsePlace(proto, s string) (sondePlace, bool) {
	if host, port, _ := sondeCut(s, ':'); host == "*" {
		n := sondeInt(port)
		return sondePortOf(proto, uint16(n)), n >= 0 && n <= 65535
	}
	at, err := netip.ParseAddrPort(s)
	return sondePlace{proto, sondePlain(at)}, err == nil
}

// sondePortOf returns a port at any address.
func sondePortOf(proto string, port uint16) sondePlace {
	return sondePlace{proto, netip.AddrPortFrom(netip.Addr{}, port)}
}

// sondePlain returns an address in a form in which equal ones are identical.
func sondePlain(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

func (t *sondeTable) readBind(proto string, port, real int) bool {
	if port < 1 || port > 65535 || real < 1 || real > 65535 {
		return false
	}
	t.binds[sondePortOf(proto, uint16(port))] = uint16(real)
	return true
}

func (t *sondeTable) readAllowed(proto, place string) bool {
	host, port, err := SplitHostPort(place)
	n := sondeInt(port)
	if err != nil || port != "*" && (n < 0 || n > 65535) {
		return false
	}
	a := sondeAllowed{proto: proto, name: sondeName(host), port: uint16(max(n, 0))}
	if addr, err := netip.ParseAddr(host); err == nil {
		a.name, a.addr = "", addr.Unmap()
	}
	t.allowed = append(t.allowed, a)
	return true
}
