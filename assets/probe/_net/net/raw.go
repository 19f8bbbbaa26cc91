//go:build unix

package net

// Write lets a service write by a system call of its own. To which address is not
// known here: the kernel lets it send from the loopback to nobody but the loopback.
func (c *rawConn) Write(f func(uintptr) bool) error {
	if c.ok() && c.fd.sonde != nil && !c.fd.isConnected {
		sondeTell("raw", c.fd.sonde.proto, c.fd.laddr.String())
	}
	return c.sondeRealWrite(f)
}
