// Command offline runs a command in a Linux network namespace that has only a loopback interface, and reports
// which addresses outside of the namespace the command and its children tried to reach. offline fails if there
// is such an address. A DNS query is reported with the name that it asks for.
//
//	go run ./docs/offline go test -count=1 ./...
//
// If the kernel does not allow such a namespace, offline says so and runs the command without one.
package main

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"os/exec"
	"slices"

	"golang.org/x/net/dns/dnsmessage"

	"sonde/runner/network/netns"
)

func main() {
	switch args := os.Args[1:]; {
	case len(args) == 0:
		fmt.Fprintln(os.Stderr, "usage: go run ./docs/offline COMMAND [ARGUMENT]...")
		os.Exit(2)
	case args[0] == netns.KeeperCommand:
		os.Exit(netns.RunKeeper(args[1:]))
	default:
		os.Exit(run(exec.Command(args[0], args[1:]...)))
	}
}

// run runs a command and returns its exit code. If this is 0 but the command tried to reach another
// machine, run returns 1.
func run(c *exec.Cmd) int {
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := netns.CheckSupport(); err != nil {
		fmt.Printf("offline: skipped, the command runs without a namespace: %v\n", err)
		return code(c.Run())
	}
	seen, err := alone(c)
	for _, to := range slices.Sorted(maps.Keys(seen)) {
		fmt.Printf("offline: %d times to %s\n", seen[to], to)
	}
	switch status := code(err); {
	case status != 0:
		return status
	case len(seen) > 0:
		return 1
	}
	fmt.Println("offline: only this machine was called")
	return 0
}

// alone runs a command in a namespace. It returns how often the command tried to reach each address outside of this
// machine. The function leaves decides which addresses are outside.
func alone(c *exec.Cmd) (map[string]int, error) {
	n, err := netns.New()
	if err != nil {
		return nil, err
	}
	defer n.Close()
	entered, err := n.PrepareCommand(c)
	if err != nil {
		return nil, err
	}
	err = c.Start()
	entered()
	if err != nil {
		return nil, err
	}
	counts := make(chan map[string]int)
	go func() { counts <- outside(n) }()
	if err := n.Start(""); err != nil {
		return nil, errors.Join(err, c.Wait())
	}
	err = c.Wait()
	return <-counts, err
}

// outside counts the packets to addresses outside of this machine until the namespace ends. The function leaves
// decides which addresses are outside.
func outside(n *netns.Namespace) map[string]int {
	seen := map[string]int{}
	n.HandleEvents(func(e netns.Event) {
		if e.Kind != netns.EndedEvent && leaves(e.Address) {
			seen[e.Network+" "+e.Address.String()+asked(e)]++
		}
	})
	return seen
}

// asked returns " for NAME" if the event is a datagram that asks a resolver for NAME, and "" otherwise.
func asked(e netns.Event) string {
	var p dnsmessage.Parser
	if e.Address.Port() != 53 {
		return ""
	}
	if _, err := p.Start(e.Data); err != nil {
		return ""
	}
	q, err := p.Question()
	if err != nil {
		return ""
	}
	return " for " + q.Name.String()
}

// leaves reports whether a packet to an address would have left the machine. Packets to a local resolver count,
// because the resolver asks other machines. Addresses of the virtual network do not count.
func leaves(to netip.AddrPort) bool {
	return !virtual.Contains(to.Addr()) && (!to.Addr().IsLoopback() || to.Port() == 53)
}

// virtual has the IPv4 addresses that the virtual network assigns to names (RFC 2544).
var virtual = netip.MustParsePrefix("198.18.0.0/15")

// code returns the exit code for the error of a command: 0 for nil, and at least 1 for a failed command.
// For any other error it prints the error and returns 2.
func code(err error) int {
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case ended:
		return max(exit.ExitCode(), 1)
	case err != nil:
		fmt.Fprintf(os.Stderr, "offline: %v\n", err)
		return 2
	}
	return 0
}
