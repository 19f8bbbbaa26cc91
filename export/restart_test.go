//go:build !windows

package export

import (
	"os"
	"path/filepath"
	"testing"
)

// If each test starts the service again, the service gets the same answers at each start, whatever it asked in the test before.
func TestStartupStubsOfExportedTests(t *testing.T) {
	LeaveOutIfShort(t)
	for name, local := range map[string]bool{"virtual network": false, "servers of the tests": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Restarted()
			s.Local = local
			dir := built(t, s)
			binary := dependent(t, "starter")
			if err := os.Symlink(binary, filepath.Join(dir, "starter")); err != nil {
				t.Fatal(err)
			}
			output, err := runBuilt(t, dir, []string{"SONDE_BINARY=" + binary}, "-test.count=2")
			wantPasses(t, 2*len(s.Tests), output, err)
		})
	}
}
