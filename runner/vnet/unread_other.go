//go:build !unix

package vnet

func (c *conn) receive(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	c.change(func() { c.taken, c.gone = c.taken+uint64(n), err != nil })
	return n, err
}

func (*endpoint) receive()    {}
func (*endpoint) drain()      {}
func (*Network) unread() bool { return false }
