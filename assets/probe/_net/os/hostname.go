//go:build unix

// These declarations are added to os. The machine has the name that the table of the virtual network
// gives it.
package os

import "internal/poll"

// Hostname returns the host name reported by the kernel, or that of the virtual network.
func Hostname() (name string, err error) {
	if use := poll.SondeEnvironment.Load(); use != nil {
		met := (*use)("hostname")
		met.Report("hostname", "read", false)
		if met.HasValue {
			return met.Value, nil
		}
	}
	return sondeRealHostname()
}
