package ipv4

import "net"

type PacketConn struct{ net.PacketConn }

func NewPacketConn(c net.PacketConn) *PacketConn { return &PacketConn{c} }
