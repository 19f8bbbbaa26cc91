package model

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Resources of a service's environment from which the service reads a value. A stub with the protocol Environment has
// such a resource in its field Host.
const (
	// HostnameResource is the name of the service's machine. The body of an answer is the name.
	HostnameResource = "hostname"
	// InterfacesResource are the network interfaces of the machine. The body of an answer has a line for each address,
	// such as "eth0 10.0.0.2/24". An interface may also have a line without an address, or with the word "down". The
	// loopback always exists.
	InterfacesResource = "interfaces"
)

// Other resources are ports on which the service listens, such as "7000/tcp", and files and folders, by their paths.
// Port 0 means a port that the system chooses. A path is absolute, or it begins with "./" or "../" and is relative to
// the working directory. "*" in a resource matches any text without a slash.

// AnyPortResource returns the resource for all ports of a network, such as "*/tcp" for "7000/tcp". It returns
// resources that are not ports unchanged.
func AnyPortResource(resource string) string {
	if _, network, ok := cutPort(resource); ok {
		return "*/" + network
	}
	return resource
}

// ResourcePort returns the port number in a resource, such as "7000" for "7000/tcp", and "*" for any port. It returns
// "" for resources that are not ports.
func ResourcePort(resource string) string {
	port, _, _ := cutPort(resource)
	return port
}

// cutPort splits the resource of a port, such as "7000/tcp", at the slash. It returns false for other resources.
func cutPort(resource string) (port, network string, ok bool) {
	port, network, _ = strings.Cut(resource, "/")
	n, err := strconv.Atoi(port)
	isPort := port == "*" || err == nil && strconv.Itoa(n) == port && n >= 0 && n <= 65535
	if !isPort || network != string(TCP) && network != string(UDP) {
		return "", "", false
	}
	return port, network, true
}

// IsFileResource reports whether a resource is a file or a folder.
func IsFileResource(resource string) bool {
	return strings.HasPrefix(resource, "/") || strings.HasPrefix(resource, "./") || strings.HasPrefix(resource, "../")
}

// uuidForm and numberForm match the parts of a path that most likely differ from test to test.
var (
	uuidForm   = regexp.MustCompile(`[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`)
	numberForm = regexp.MustCompile(`[0-9A-Za-z]*[0-9][0-9A-Za-z]*`)
	// severalStars matches consecutive stars. They match the same texts as a single star.
	severalStars = regexp.MustCompile(`\*{2,}`)
)

// FilePattern replaces the variable parts of a file's path by "*": "./orders/17.json" becomes "./orders/*.json".
// Variable parts are UUIDs and words with digits. Resources that are not files are returned unchanged.
func FilePattern(resource string) string {
	if !IsFileResource(resource) {
		return resource
	}
	pattern := numberForm.ReplaceAllString(uuidForm.ReplaceAllString(resource, "*"), "*")
	return severalStars.ReplaceAllString(pattern, "*")
}

// ResourceHasValue reports whether a service reads a value from a resource: the hostname or the network interfaces.
// All other resources work as usual if no stub answers for them, or if the answer is empty.
func ResourceHasValue(resource string) bool {
	return resource == HostnameResource || resource == InterfacesResource
}

// ResourceFaults returns the faults that a resource can have, nil for none.
func ResourceFaults(resource string) []NetFault {
	switch {
	case ResourcePort(resource) != "":
		return []NetFault{NetAddressInUse, NetPermissionDenied}
	case IsFileResource(resource):
		return []NetFault{NetPermissionDenied, NetNoSpace, NetNoSuchFile, NetIOError}
	case resource == InterfacesResource:
		return []NetFault{NetPermissionDenied}
	}
	return nil
}

// IsResource reports whether a text is valid as the Host of a stub of the environment.
func IsResource(resource string) bool { return validateResource(resource) == nil }

// maxPath is the maximum length of a path on Linux (PATH_MAX).
const maxPath = 4096

// validateResource checks the resource of a stub of the environment.
func validateResource(resource string) error {
	isOdd := func(r rune) bool { return r < ' ' || r == 0x7f }
	isFile := IsFileResource(resource) && len(resource) <= maxPath && !strings.ContainsFunc(resource, isOdd)
	if ResourcePort(resource) != "" || ResourceHasValue(resource) || isFile {
		return nil
	}
	const known = "hostname, interfaces, a port such as 7000/tcp or */udp, or a file such as ./data/orders.json"
	return fmt.Errorf("%.60q is no resource of the environment: use %s", resource, known)
}

// validateUse checks an answer of a stub of the environment.
func (s Stub) validateUse(a Answer) error {
	content := string(a.Content())
	hasMore := a.Status != 0 || len(a.Header)+len(a.Trailer)+len(a.Records) > 0 || a.Close || a.Latency != 0 || a.Rate != 0
	switch {
	case hasMore:
		return fmt.Errorf("the stub of %.60q is for the environment: an answer has a body, or a fault", s.Host)
	case a.After != 0 && a.Fault != NetNoSpace:
		return fmt.Errorf("the stub of %.60q has after, which only the fault no-space has", s.Host)
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
