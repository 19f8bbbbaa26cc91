package dial

import (
	"context"
	"net"
)

func TCP(addr string) (net.Conn, error) { return net.Dial("tcp", addr) }

func UDP(ctx context.Context, addr string) (net.Conn, error) {
	const network = "udp" + "4"
	return new(net.Dialer).DialContext(ctx, network, addr)
}
