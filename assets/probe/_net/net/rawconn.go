//go:build unix

package net

// Write reports a system call that the service makes on a datagram socket, and allows it. Its
// destination is not known here. It cannot leave the machine, because the kernel lets a socket on
// the loopback send only to the loopback.
func (c *rawConn) Write(f func(uintptr) bool) error {
	if c.ok() && c.fd.sonde != nil && !c.fd.isConnected {
		sondeReport("raw", c.fd.sonde.proto, c.fd.laddr.String())
	}
	return c.sondeRealWrite(f)
}
