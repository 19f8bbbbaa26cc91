package netsim

import (
	"encoding/hex"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// event is a decoded line that the service wrote on its channel: a value of one of the types below,
// or nil if the line is not known.
type event any

type (
	// helloEvent is the first event of a service that has a network built in.
	helloEvent struct{}

	// replyEvent acknowledges the command with this number. command is "set" for a table and
	// "synced" for a sync.
	replyEvent struct{ command, number string }

	// lookupEvent reports a lookup of a name. The result is "-" if the name does not exist,
	// "real" if the real network resolved it, or else the addresses.
	lookupEvent struct {
		kind, name, result string
		addresses          []netip.Addr
	}

	// refusedEvent reports a dial that failed.
	refusedEvent struct{ to endpoint }

	// realDialEvent reports a dial to a host that is allowed to be real.
	realDialEvent struct{ to endpoint }

	// lostDatagramEvent reports a datagram to an address without a host.
	lostDatagramEvent struct {
		to   endpoint
		data []byte
	}

	// listenEvent reports that the service listens on a port. real is the address at which
	// Sonde reaches the port.
	listenEvent struct {
		id, network string
		port        int
		real        netip.AddrPort
	}

	// closedEvent reports that the service closed a socket.
	closedEvent struct{ id string }

	// dialedEvent reports a connection that the service opened.
	dialedEvent struct {
		id         string
		local, far netip.AddrPort
	}

	// execEvent reports that the service started a program.
	execEvent struct{ program string }

	// rawSocketEvent reports that the service sent datagrams by system calls.
	rawSocketEvent struct{}

	// useEvent reports that the service uses a resource of its environment, and whether the use failed. by is the
	// resource of the stub that decided the use, "" if there is none. nth is the number of earlier uses that this
	// stub decided. uses is the number of uses that the event reports; it is 0 for an action that is part of an
	// earlier use, such as reading an open file.
	useEvent struct {
		action, resource, by string
		nth, uses            int
		failed               bool
	}

	// waitEvent reports that the service waits on a socket.
	waitEvent struct{ wait *wait }
)

// Events of a service that is recorded. A cause is the ID of the request for which the
// service acts, "" if unknown.
type (
	// askEvent asks for a connection to a host.
	askEvent struct {
		id    uint64
		to    netip.AddrPort
		cause string
	}

	// dropEvent withdraws an askEvent.
	dropEvent struct {
		id     uint64
		reason string
	}

	// openedEvent reports the local address from which the service opened the connection of
	// an askEvent.
	openedEvent struct {
		id   uint64
		from netip.AddrPort
	}

	// wroteEvent reports which request caused the bytes that the service writes on a connection, from an offset on.
	wroteEvent struct {
		id, from uint64
		cause    string
	}

	// answeredEvent reports that the service has answered a request.
	answeredEvent struct{ request string }

	// sentDatagramEvent reports a datagram that the service sent.
	sentDatagramEvent struct {
		key   datagramKey
		cause string
		data  []byte
	}
	// receivedDatagramEvent reports a datagram that the service received.
	receivedDatagramEvent struct {
		key  datagramKey
		data []byte
	}
	// failedDatagramEvent reports a datagram that could not be delivered.
	failedDatagramEvent struct {
		key            datagramKey
		cause, message string
	}

	// closedSocketEvent reports that a socket for datagrams was closed.
	closedSocketEvent struct{ socket uint64 }
)

// eventDecoders maps the first word of a line to the function that decodes the line.
var eventDecoders = map[string]func(f fields) event{
	"hello":  func(fields) event { return helloEvent{} },
	"set":    func(f fields) event { return replyEvent{command: "set", number: f.text(0)} },
	"synced": func(f fields) event { return replyEvent{command: "synced", number: f.text(0)} },
	"lookup": func(f fields) event {
		return lookupEvent{kind: f.text(0), name: f.text(1), result: f.text(2), addresses: f.addresses(2)}
	},
	"refused": func(f fields) event { return refusedEvent{to: f.endpoint(0)} },
	"real":    func(f fields) event { return realDialEvent{to: f.endpoint(0)} },
	"lost":    func(f fields) event { return lostDatagramEvent{to: f.endpoint(0), data: f.bytes(2)} },
	"listen": func(f fields) event {
		return listenEvent{id: f.text(0), network: strings.ToLower(f.text(1)), port: f.port(2), real: f.addrPort(3)}
	},
	"closed": func(f fields) event { return closedEvent{id: f.text(0)} },
	"dialed": func(f fields) event {
		return dialedEvent{id: f.text(0), local: f.addrPort(1), far: f.addrPort(2)}
	},
	"exec": func(f fields) event { return execEvent{program: f.text(0)} },
	"use": func(f fields) event {
		return useEvent{
			action: f.text(0), resource: f.text(1), by: f.cause(2),
			nth: int(f.number(3)), failed: f.text(4) == "failed", uses: int(f.number(5)),
		}
	},
	"raw": func(fields) event { return rawSocketEvent{} },
	"wait": func(f fields) event {
		return waitEvent{wait: &wait{
			id: f.text(0), kind: f.text(1), local: f.addrPort(2), remote: f.addrPort(3),
			written: f.number(4), read: f.number(5),
		}}
	},
	"ask":    func(f fields) event { return askEvent{id: f.number(0), to: f.addrPort(1), cause: f.cause(2)} },
	"drop":   func(f fields) event { return dropEvent{id: f.number(0), reason: f.text(1)} },
	"opened": func(f fields) event { return openedEvent{id: f.number(0), from: f.addrPort(1)} },
	"wrote":  func(f fields) event { return wroteEvent{id: f.number(0), from: f.number(1), cause: f.cause(2)} },
	"over":   func(f fields) event { return answeredEvent{request: f.text(0)} },
	"said": func(f fields) event {
		return sentDatagramEvent{key: f.datagramKey(), cause: f.cause(2), data: f.bytes(3)}
	},
	"came": func(f fields) event { return receivedDatagramEvent{key: f.datagramKey(), data: f.bytes(3)} },
	"failed": func(f fields) event {
		return failedDatagramEvent{key: f.datagramKey(), cause: f.cause(2), message: f.text(3)}
	},
	"shut": func(f fields) event { return closedSocketEvent{socket: f.number(0)} },
}

// parseEvent decodes a line of the service. It returns nil if the first word is unknown.
// Missing or malformed fields are zero.
func parseEvent(line string) event {
	words := strings.Split(strings.TrimSuffix(line, "\r"), " ")
	for i, w := range words {
		words[i] = unescape(w)
	}
	decode := eventDecoders[words[0]]
	if decode == nil {
		return nil
	}
	return decode(words[1:])
}

// fields are the unescaped fields of a line, without the first word.
type fields []string

func (f fields) text(i int) string {
	if i < len(f) {
		return f[i]
	}
	return ""
}

func (f fields) number(i int) uint64 {
	n, _ := strconv.ParseUint(f.text(i), 10, 64)
	return n
}

func (f fields) addrPort(i int) netip.AddrPort {
	at, _ := netip.ParseAddrPort(f.text(i))
	return unmapped(at)
}

// port reads the port of a host:port.
func (f fields) port(i int) int {
	_, text, _ := net.SplitHostPort(f.text(i))
	port, _ := strconv.Atoi(text)
	return port
}

// endpoint reads two fields: the network, and the address after it.
func (f fields) endpoint(i int) endpoint {
	return endpoint{network: f.text(i), addr: f.addrPort(i + 1)}
}

// bytes decodes hexadecimal digits.
func (f fields) bytes(i int) []byte {
	b, _ := hex.DecodeString(f.text(i))
	return b
}

// addresses reads a list of addresses, separated by commas.
func (f fields) addresses(i int) []netip.Addr {
	var all []netip.Addr
	for _, text := range strings.Split(f.text(i), ",") {
		if addr, err := netip.ParseAddr(text); err == nil {
			all = append(all, addr.Unmap())
		}
	}
	return all
}

func (f fields) cause(i int) string { return causeOf(f.text(i)) }

// causeOf returns the ID of a request, and "" for "-", which means that the request is
// unknown.
func causeOf(text string) string {
	if text == "-" {
		return ""
	}
	return text
}

func (f fields) datagramKey() datagramKey {
	return datagramKey{socket: f.number(0), to: f.addrPort(1)}
}
