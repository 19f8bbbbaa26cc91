package raw

import "net"

func Listen() (net.PacketConn, error) { return net.ListenPacket("ip4:icmp", "0.0.0.0") }
