// Package netsim is the network around a service: the hosts that it calls, the names that it
// looks up, and the hosts that call it on ports other than its API. The hosts answer from
// stubs. The package notes each contact of the service with the network. Package hostmodel
// decides which answers are worth trying.
//
// # Grounds
//
// A ground carries the network to the service. The interfaces ground and process hide the
// differences between grounds from the rest of the package.
//
//	built in    Code inside the service redirects addresses in the standard library's net (see
//	            runner/instrument/probe). Both sides share a table of names and addresses, and
//	            a channel, on which commands go to the service and events come back.
//	namespace   The process is in a network namespace (see runner/network/netns), in which the
//	            hosts listen at their virtual addresses. The process reports nothing. Sonde
//	            sees what the process sends, and infers its waits from silence.
//	proxy       The process uses the proxy in its environment. All hosts speak HTTP.
//
// # Parts
//
// The mutex of the Network guards these parts. Each owns one piece of state:
//
//	hostNames     the names by which the service reached an address
//	hostSockets   the sockets behind virtual addresses, and when they are opened and closed
//	connections   the open connections between the service and the hosts
//	listeners     the service's own ports, and its waits for connections and datagrams
//	inwardCalls   the hosts that call these ports
//	testState     the positions in the scripts of a test's stubs, and the test's contacts
//	quiescence    the detection that the service and its hosts wait for each other
//
// A Recorder is used instead of a Network. It forwards traffic to the real hosts, and delivers
// what the service exchanged with them.
//
// # Names
//
// A zone has the names that the stubs of a test define. Who resolves a name depends on the
// ground:
//
//	built in    assets/probe/_net/net/names.go replaces Go's resolver inside the service. It
//	            uses the names in the table, which zone.write writes. A service with its own
//	            resolver sends DNS messages; the table routes port 53 to a resolver, which
//	            answers by lookups.go.
//	namespace   A resolver at port 53 of every IPv4 address answers by lookups.go. It is not
//	            asked for names in /etc/hosts.
//	proxy       The service sends names to the proxy, which needs no DNS.
//
// A name without a DNS stub has a synthetic address, which follows from the name, if the test
// has stubs of the host, or if Options.ResolveAnyName is set, as in a search. Otherwise it does
// not exist.
//
// # States
//
// A test:
//
//	          BeginTest       StartInward        BeginCall          EndTest
//	startup ────────────▶ begun ────────▶ inward ─────────▶ in a call ───────▶ ended ─┐
//	                        ▲               started ◀─────────┘ EndCall               │
//	                        └────────────────────────── BeginTest ────────────────────┘
//
// A connection that the service opens. Its first bytes decide the protocol. If the service
// sends none and waits, a host with raw TCP speaks first. A host with stubs of a database,
// which is not shown, plays that database; MySQL speaks first at once:
//
//	           TLS: decrypt
//	             ┌──┐
//	           ┌─┴──▼─┐  a request, to a host with stubs of HTTP   ┌──────┐
//	accepted ─▶│fresh ├───────────────────────────────────────────▶│ HTTP ├─▶ closed
//	           │      │  other bytes, or a wait                    ├──────┤
//	           │      ├───────────────────────────────────────────▶│ TCP  ├─▶ closed
//	           └──┬───┘                                            └──────┘
//	              └─▶ reset: the host has no stub of the protocol
//
// An answer of raw TCP is due when a stub matches the data that the service has sent, or when
// the service waits. The service waits if it reports a wait (or shows one in its slot, or a
// wait is inferred) whose counts of bytes read and written are equal to those of the network,
// and no answer is being written. If the service waits during a call and no answer is due, the
// connection is reset after the time silence (or greetingDelay, if waits are inferred), so that
// the call can end.
package netsim
