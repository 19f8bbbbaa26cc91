//go:build unix

// These declarations are added to os: the host has the name that the virtual network
// gives it.
package os

import "internal/poll"

// Hostname returns the host name reported by the kernel.
func Hostname() (name string, err error) {
	if h := poll.SondeHostname.Load(); h != nil {
		return *h, nil
	}
	return sondeRealHostname()
}
