// Package required uses the network in some of its functions.
package required

import (
	"net"
	"net/http"
)

var client = &http.Client{}

// Fetch uses the network by a variable.
func Fetch(url string) error {
	_, err := client.Head(url)
	return err
}

// Sizer is implemented by a type whose method uses the network.
type Sizer interface{ Size() int }

type remote struct{ name string }

func (r *remote) Size() int {
	all, _ := net.LookupHost(r.name)
	return len(all)
}

type embedding struct{ *remote }

// New returns a value with the method of an embedded type.
func New(name string) Sizer { return embedding{&remote{name}} }

// Port does not use the network.
func Port(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return port
}
