//go:build !windows

package export

import (
	"os"
	"path/filepath"
	"testing"

	"sonde/model"
)

// If each test starts the service again, the service gets the same answers at each start, whatever it asked in the test before.
func TestStartupStubsOfExportedTests(t *testing.T) {
	LeaveOutIfShort(t)
	for name, local := range map[string]bool{"virtual network": false, "servers of the tests": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := answering("settings.example:80", model.HTTP, model.Answer{Status: 503}, model.Answer{Body: `{"limit": 5}`})
			limit.Match, limit.Repeat = model.StubMatch{Method: "GET", Path: "/limit"}, true
			asks, tells := one("asks", "POST /refresh", 200), one("tells", "GET /settings", 200)
			asks.Checks = []model.Check{equal(0, "", "false")}
			tells.Checks = []model.Check{equal(0, "/limit", "5"), equal(0, "/tries", "2")}
			s := shopping(asks, tells)
			s.Net, s.Reset, s.Local = s.Net.WithStartupStubs([]model.Stub{limit}), &model.Reset{Restart: true}, local
			s.Service.Command = []string{"./starter", "--addr", "127.0.0.1:{port}", "--settings=http://settings.example:80"}
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
