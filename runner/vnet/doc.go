// Package vnet is the network around a service: the hosts that it calls, the names
// that it looks up, and who calls it by other ways than its API. It owns loopback
// listeners behind the virtual addresses, answers from stubs, and keeps what the
// service did with the network.
//
// The service reaches it because what is built into the service redirects
// addresses inside the standard library's net (see runner/probe). Both halves share
// a table, which says what names and addresses there are, and a channel: the
// service tells what it does, and is told the next test's table. A service that Sonde
// did not build is in a namespace instead (see runner/netns), in which the listeners
// are at the virtual addresses themselves, or asks a proxy.
//
// Which answers are worth trying is not for here.
package vnet
