//go:build !unix

package netsim

func (c *conn) receive(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	c.change(func() { c.received, c.peerClosed = c.received+uint64(n), err != nil })
	return n, err
}

func (*hostSocket) receive()        {}
func (*hostSocket) receivePending() {}

func unreadData(*hostSockets, *connections) bool { return false }
