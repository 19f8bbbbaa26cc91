package either

import (
	"net"
	"strings"
)

func Dial(addr string) (net.Conn, error) {
	network := "tcp"
	if strings.HasPrefix(addr, "/") {
		network = "unix"
	}
	return net.Dial(network, addr)
}
