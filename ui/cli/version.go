package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// release is the version of this source tree, as in the CHANGELOG.
const release = "0.1.0"

func newVersion(s streams) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printJSON(s.out, map[string]string{"version": release, "revision": revision(), "go": runtime.Version()})
			}
			_, err := fmt.Fprintln(s.out, versionLine())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON for programs")
	return c
}

// versionLine is the version for people.
func versionLine() string {
	return strings.TrimSpace(strings.Join([]string{"sonde", release, runtime.Version(), revision()}, " "))
}

// revision is the commit that the binary was built from, where it knows.
func revision() string {
	commit := buildSetting("vcs.revision")
	commit = commit[:min(len(commit), 12)]
	if buildSetting("vcs.modified") == "true" {
		commit += "+changes"
	}
	return commit
}

// buildSetting is what the binary knows of how it was built, "" for nothing.
func buildSetting(key string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == key {
				return s.Value
			}
		}
	}
	return ""
}
