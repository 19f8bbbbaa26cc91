package ancillary

import (
	"net"

	"golang.org/x/net/ipv4"
)

func Wrap(c *net.UDPConn) *ipv4.PacketConn { return ipv4.NewPacketConn(c) }
