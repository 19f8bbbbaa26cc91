//go:build unix

// These declarations are added to os. The table of the virtual network may decide the name of the
// machine.
package os

import "internal/poll"

// Hostname returns the host name reported by the kernel or, if the table has one, that of the table.
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
