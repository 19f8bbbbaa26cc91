// Package version says which Sonde this is.
package version

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Release is the version of this source tree, as in the CHANGELOG.
const Release = "0.1.0"

// VersionText is the version for people.
func VersionText() string {
	return strings.TrimSpace(strings.Join([]string{"sonde", Release, runtime.Version(), Revision()}, " "))
}

// Revision is the commit that the binary was built from, where it knows.
func Revision() string {
	commit := BuildSetting("vcs.revision")
	commit = commit[:min(len(commit), 12)]
	if BuildSetting("vcs.modified") == "true" {
		commit += "+changes"
	}
	return commit
}

// BuildSetting is what the binary knows of how it was built, "" for nothing.
func BuildSetting(key string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == key {
				return s.Value
			}
		}
	}
	return ""
}
