// Package netsim is the network around a service: the hosts that it calls, the names that it
// looks up, and the hosts that call it by other ways than its API. It answers from stubs, and
// keeps what the service did with the network. Which answers are worth trying is decided
// elsewhere.
//
// # Grounds
//
// A ground carries the network to the service. It hides how, behind the interface ground; the
// process that runs on it is behind the interface process.
//
//	built in    the code that is built into the service redirects addresses inside the standard
//	            library's net (see runner/instrument/probe). Both sides share a table of names and
//	            addresses, and a channel: commands go to the service, events come back.
//	namespace   the process is in a network namespace (see runner/network/netns), in which the
//	            hosts listen at their virtual addresses. It reports nothing: what it does is seen,
//	            and its waits are inferred from silence.
//	proxy       the process asks the proxy in its environment. It has hosts of HTTP only.
//
// # Parts
//
// One mutex, that of the Network, guards all of these. Each owns one piece of state:
//
//	hostNames     names by which the service reached an address
//	hostSockets   the sockets behind virtual addresses, and when they open and close
//	connections   what is open between the service and the hosts
//	listeners     the service's own ports, and its waits for others to come
//	inwardCalls   hosts that call these ports
//	test          how far the scripts of a test's stubs are, and its contacts
//	quiescence    when the service and its hosts wait for each other in vain
//	Recorder      instead of all that: real hosts, and what the service exchanged with them
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
// A connection that the service opens. The first bytes decide; a service that sends none, and
// waits, is greeted by a host with raw TCP:
//
//	           TLS: look inside
//	             ┌──┐
//	           ┌─┴──▼─┐  a request, to a host with stubs of HTTP   ┌──────┐
//	accepted ─▶│fresh ├───────────────────────────────────────────▶│ HTTP ├─▶ closed
//	           │      │  other bytes, or a wait                    ├──────┤
//	           │      ├───────────────────────────────────────────▶│ TCP  ├─▶ closed
//	           └──┬───┘                                            └──────┘
//	              └─▶ broken: no stub of the host has the protocol
//
// An answer of raw TCP is due when the service has sent what a stub matches, or waits. It waits
// when it has reported (or shows in its slot, or is presumed to) a wait with as many bytes read
// and written as the network counts, and nothing is on its way. If nothing is due then, and
// stays so for some silence during a call, the connection is broken, so that the call ends.
package netsim
