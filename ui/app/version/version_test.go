package version_test

import (
	"runtime"
	"strings"
	"testing"

	"sonde/ui/app/version"
)

func TestText(t *testing.T) {
	got := version.Text()
	if !strings.HasPrefix(got, "sonde "+version.Release+" "+runtime.Version()) {
		t.Errorf("got %q", got)
	}
	if strings.TrimSpace(got) != got {
		t.Errorf("got %q, with a blank at an end", got)
	}
}

// The build of a test binary has no revision, but it has the target system.
func TestBuildSetting(t *testing.T) {
	if got := version.BuildSetting("GOOS"); got != "" && got != runtime.GOOS {
		t.Errorf("GOOS is %q, want %q", got, runtime.GOOS)
	}
	if got := version.BuildSetting("no such setting"); got != "" {
		t.Errorf("an unknown setting is %q", got)
	}
}
