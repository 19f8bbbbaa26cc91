//go:build unix

package net

import (
	"internal/poll"
	"net/netip"
	"sync/atomic"
	"syscall"
)

// sondeTable is the configuration of the virtual network. Its text has a line for each fact.
// sondeTable.read has a case for the first word of each line. The types serviceTable and Recorder in
// runner/network/netsim write the text.
type sondeTable struct {
	resolve  bool // a name that is not in names has the address of sondeSyntheticAddr
	names    map[string]*sondeHost
	routes   map[sondePlace]*sondeRoute
	back     map[sondePlace]sondeSender // key: real address of a sender; value: the address that the service sees
	binds    map[sondePlace]uint16      // key: port that the service asks for, see sondePortOf; value: real port
	watched  map[sondePlace]bool        // key: port of the service whose connections are watched, see sondePortOf
	allowed  []sondeAllowed
	hostname string
	links    []sondeLink
	sondeEnvironment
}

// sondePlace is a protocol with an address and a port. The zero address means any address.
type sondePlace struct {
	proto string // tcp or udp
	at    netip.AddrPort
}

// sondeOutcome is what happens to a dial or a datagram to a place.
type sondeOutcome struct {
	to    netip.AddrPort // the real address to which the dial or datagram is redirected
	real  bool           // the address is in the real network
	errno syscall.Errno  // the error with which the dial or datagram fails, 0 for none
	lost  bool           // the dial or datagram is lost without an error
	watch bool           // the traffic of the connection is reported to Sonde
}

// sondeRoute has the outcomes for the first, second, … use of a place.
type sondeRoute struct {
	sondeScript
	outcomes []sondeOutcome
}

// sondeScript counts the uses of a sequence of steps. Each use takes the next step. After the last
// step, further uses take the last step again or, if again is set, begin with the first one.
type sondeScript struct {
	again bool
	done  atomic.Uint32 // number of uses
}

// next returns the index of the current step and advances. count is the number of steps.
func (s *sondeScript) next(count int) int { return s.at(count, s.done.Add(1)-1) }

// current returns the index of the current step. count is the number of steps.
func (s *sondeScript) current(count int) int { return s.at(count, s.done.Load()) }

func (s *sondeScript) at(count int, n uint32) int {
	if s.again {
		return int(n % uint32(count))
	}
	return int(min(n, uint32(count-1)))
}

// sondeSender is the virtual address of a sender, as the service sees it.
type sondeSender struct {
	virtual netip.AddrPort
	watch   bool
}

// sondeAllowed is a host that the service may reach in the real network. The port 0 means all ports.
type sondeAllowed struct {
	proto, name string
	addr        netip.Addr
	port        uint16
}

// sondeCurrentTable is the current table, nil if the service uses the real network.
var sondeCurrentTable atomic.Pointer[sondeTable]

// sondeSetTable parses a table and makes it the current one. With the text "off", the service uses the real network.
// With a table that begins with "record 1", the service is recorded. sondeSetTable prints an invalid line, and then
// ignores it.
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
			sondePrintError("the table of the virtual network has an invalid line: " + line)
		}
	}
	if head == "record 1" {
		t.record()
	} else {
		t.set()
	}
	return nil
}

// record lets the service use the real network, and records its traffic. The table t says which names and places are
// redirected, and which hosts are not recorded.
func (t *sondeTable) record() {
	(*sondeTable)(nil).set()
	sondeRecordingTable.Store(t)
	poll.SondeVirtual.Store(true) // so that the service trusts certificates of the recorder
	poll.SondeRecording.Store(true)
}

// set makes a table the current one. If t is nil, the service uses the real network. It also ends a recording.
func (t *sondeTable) set() {
	sondeCurrentTable.Store(t)
	sondeRecordingTable.Store(nil)
	poll.SondeRecording.Store(false)
	sondeDestinations.reset()
	poll.SondeVirtual.Store(t != nil)
	poll.SondeRound.Add(1)
	if t == nil {
		poll.SondeEnvironment.Store(nil)
		return
	}
	use := poll.SondeUseFunc(t.use)
	poll.SondeEnvironment.Store(&use)
}

// read parses the fields of a line. It returns false for an invalid line.
func (t *sondeTable) read(f []string) bool {
	switch {
	case f[0] == "unknown" && len(f) == 2:
		t.resolve = f[1] == "resolve"
		return t.resolve || f[1] == "absent"
	case len(f) >= 2 && sondeIsNameLine(f[0]):
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
	case f[0] == "use" && len(f) >= 3:
		return t.readResource(f[1], f[2:])
	}
	return false
}

var sondeErrnos = map[string]syscall.Errno{
	"ECONNREFUSED": syscall.ECONNREFUSED, "ECONNRESET": syscall.ECONNRESET, "ECONNABORTED": syscall.ECONNABORTED,
	"ETIMEDOUT":   syscall.ETIMEDOUT,
	"ENETUNREACH": syscall.ENETUNREACH, "EHOSTUNREACH": syscall.EHOSTUNREACH, "EAGAIN": syscall.EAGAIN,
	"EPIPE": syscall.EPIPE, "EPERM": syscall.EPERM,
	"EADDRINUSE": syscall.EADDRINUSE, "EACCES": syscall.EACCES,
	"ENOSPC": syscall.ENOSPC, "ENOENT": syscall.ENOENT, "EIO": syscall.EIO,
}

// readRoute parses the outcomes of a place. A route works in both directions: a sender at the real address of an
// outcome looks to the service like a sender at the place. A route from any address, such as "*:80", works in one
// direction only.
func (t *sondeTable) readRoute(proto, from string, to []string) bool {
	at, ok := sondeParsePlace(proto, from)
	r, watch := &sondeRoute{}, false
	for _, f := range to {
		switch w, known := sondeParseOutcome(f); {
		case f == "again":
			r.again = true
		case f == "watch":
			watch = true
		default:
			ok = ok && known
			r.outcomes = append(r.outcomes, w)
		}
	}
	if !ok || len(r.outcomes) == 0 {
		return false
	}
	t.routes[at] = r
	for i := range r.outcomes {
		r.outcomes[i].watch = watch
		if to := r.outcomes[i].to; to.IsValid() && at.at.Addr().IsValid() {
			t.back[sondePlace{proto, to}] = sondeSender{at.at, watch}
		}
	}
	return true
}

// sondeParseOutcome parses an outcome: "127.0.0.1:4000" for an address, "!ECONNREFUSED" for an error, or "!"
// for a loss without an error.
func sondeParseOutcome(s string) (sondeOutcome, bool) {
	if s[0] == '!' {
		errno, known := sondeErrnos[s[1:]]
		return sondeOutcome{errno: errno, lost: s == "!"}, known || s == "!"
	}
	to, err := netip.ParseAddrPort(s)
	return sondeOutcome{to: to}, err == nil
}

// sondeParsePlace parses a place, such as "198.18.0.1:80", "[fd00::1]:80" or "*:80".
func sondeParsePlace(proto, s string) (sondePlace, bool) {
	if host, port, _ := sondeCut(s, ':'); host == "*" {
		n := sondeInt(port)
		return sondePortOf(proto, uint16(n)), n >= 0 && n <= 65535
	}
	at, err := netip.ParseAddrPort(s)
	return sondePlace{proto, sondePlain(at)}, err == nil
}

// sondePortOf returns the place of a port at any address.
func sondePortOf(proto string, port uint16) sondePlace {
	return sondePlace{proto, netip.AddrPortFrom(netip.Addr{}, port)}
}

// sondePlain returns an address in the form in which addresses are compared: without a zone, and with
// IPv4-mapped IPv6 addresses as IPv4.
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
