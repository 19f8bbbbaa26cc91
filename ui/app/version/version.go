// Package version has the version of Sonde and data about the build of the binary.
package version

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Release is the version of the source tree; see CHANGELOG.md.
const Release = "0.1.0"

// Text returns a line with the versions of Sonde, Go and the source.
func Text() string {
	return strings.TrimSpace(strings.Join([]string{"sonde", Release, runtime.Version(), Revision()}, " "))
}

// Revision returns the first 12 digits of the commit from which the binary was built, or "" if the commit is unknown.
// The suffix "+changes" means that files had uncommitted changes.
func Revision() string {
	commit := BuildSetting("vcs.revision")
	commit = commit[:min(len(commit), 12)]
	if BuildSetting("vcs.modified") == "true" {
		commit += "+changes"
	}
	return commit
}

// BuildSetting returns a setting of the build by its name in debug.BuildSetting, "" if it is unknown.
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
