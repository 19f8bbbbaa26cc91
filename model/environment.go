package model

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// The resources of a service's environment. Stub.Host has one of them if the protocol is Environment.
const (
	// HostnameResource is the name of the service's machine. The body of an answer is the name.
	HostnameResource = "hostname"
	// InterfacesResource are the network interfaces of the machine. The body of an answer has a line for each address,
	// such as "eth0 10.0.0.2/24". An interface may also have a line without an address, or with the word "down". The
	// loopback always exists.
	InterfacesResource = "interfaces"
)

// PortResource returns the resource of a port on which the service listens, such as "7000/tcp". Port 0 is the resource
// of the ports that the system chooses.
func PortResource(network Protocol, port int) string {
	return strconv.Itoa(port) + "/" + string(network)
}

// AnyResource returns the resource of all ports of the network that a resource has, such as "*/tcp". It returns other
// resources unchanged.
func AnyResource(resource string) string {
	if _, network, ok := cutPort(resource); ok {
		return "*/" + network
	}
	return resource
}

// ResourceName returns the part of a resource that a request may name: the number of a port. It returns other resources
// unchanged.
func ResourceName(resource string) string {
	if port, _, ok := cutPort(resource); ok {
		return port
	}
	return resource
}

// cutPort splits the resource of a port at the slash. It returns false for other resources.
func cutPort(resource string) (port, network string, ok bool) {
	port, network, ok = strings.Cut(resource, "/")
	n, err := strconv.Atoi(port)
	isPort := port == "*" || err == nil && strconv.Itoa(n) == port && n >= 0 && n <= 65535
	return port, network, ok && isPort && (network == string(TCP) || network == string(UDP))
}

// ResourceHasValue reports whether the service reads a value from a resource: a name or interfaces. Without a stub, or with an empty
// answer, any other resource works as usual.
func ResourceHasValue(resource string) bool {
	return resource == HostnameResource || resource == InterfacesResource
}

// ResourceFaults returns the faults that a resource can have, nil for none.
func ResourceFaults(resource string) []NetFault {
	if _, _, ok := cutPort(resource); ok {
		return []NetFault{NetAddressInUse, NetPermissionDenied}
	}
	if resource == InterfacesResource {
		return []NetFault{NetPermissionDenied}
	}
	return nil
}

// validateResource checks the resource of a stub of the environment.
func validateResource(resource string) error {
	if _, _, ok := cutPort(resource); ok || ResourceHasValue(resource) {
		return nil
	}
	return fmt.Errorf("%.60q is no resource of the environment: use hostname, interfaces, or a port such as 7000/tcp or */udp", resource)
}

// validateUse checks an answer of a stub of the environment.
func (s Stub) validateUse(a Answer) error {
	content := string(a.Content())
	switch {
	case a.Fault != "" && !slices.Contains(ResourceFaults(s.Host), a.Fault):
		return fmt.Errorf("the stub of %.60q has the fault %q, which this resource of the environment cannot have", s.Host, a.Fault)
	case a.Fault != "":
		return nil
	case !ResourceHasValue(s.Host) && content != "":
		return fmt.Errorf("the stub of %.60q has a body: only the hostname and the interfaces have one", s.Host)
	case s.Host == HostnameResource:
		return validateHostname(content)
	case s.Host == InterfacesResource:
		return validateInterfaces(content)
	}
	return nil
}

// maxHostname is the maximum length of the name of a machine on Linux (HOST_NAME_MAX).
const maxHostname = 64

func validateHostname(name string) error {
	isOdd := func(r rune) bool { return r <= ' ' || r == 0x7f }
	if name == "" || len(name) > maxHostname || strings.ContainsFunc(name, isOdd) {
		return fmt.Errorf("the body %.80q of a stub of the hostname is no name of at most %d bytes", name, maxHostname)
	}
	return nil
}

// DownInterface is the word after the name of an interface that is down.
const DownInterface = "down"

func validateInterfaces(text string) error {
	if text == "" {
		return errors.New("a stub of the interfaces needs a body, such as \"eth0 10.0.0.2/24\", or \"lo\" for the loopback alone")
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		err := error(nil)
		switch {
		case len(f) == 0 || len(f) > 2:
			err = errors.New("not a name with an address")
		case len(f) == 2 && f[1] != DownInterface:
			_, err = netip.ParsePrefix(f[1])
		}
		if err != nil {
			line = strings.TrimSpace(line)
			return fmt.Errorf("the line %.60q of a stub of the interfaces is not like \"eth0 10.0.0.2/24\": %w", line, err)
		}
	}
	return nil
}
