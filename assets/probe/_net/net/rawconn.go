//go:build unix

package net

// Write reports that the service makes a system call on a datagram socket, and then makes the call. The
// destination of the data is not known here. But the data cannot leave the machine: from a socket on
// the loopback, the kernel sends only to the loopback.
func (c *rawConn) Write(f func(uintptr) bool) error {
	if c.ok() && c.fd.sonde != nil && !c.fd.isConnected {
		sondeReport("raw", c.fd.sonde.proto, c.fd.laddr.String())
	}
	return c.sondeRealWrite(f)
}
