package cli

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/assets/demo"
)

// A run and a recording of the demo, made before the code of Sonde was divided into its present packages, can still be
// shown, exported, resumed and played. The run was killed before its budget was used up.
func TestFilesOfEarlierVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs tests with go test: left out by -short")
	}
	spec, err := filepath.Abs("../../assets/demo/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("testdata/earlier")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	check := func(code int, want string, args ...string) {
		t.Helper()
		if text := sonde(t, code, args...); !strings.Contains(text, want) {
			t.Errorf("%q: got %s\nwant %q in it", args, text, want)
		}
	}
	check(0, "oracle:   server-error", "faults", "run")
	check(0, "17 tests in ", "export", "run", "-o", "tests")
	check(1, "calls       400 (", "search", "--resume", "run")
	check(0, "f1", "faults", "run")

	shop := httptest.NewServer(demo.NewShop(demo.Config{}))
	defer shop.Close()
	t.Setenv("SONDE_BASE_URL", shop.URL)
	check(0, "4 of 4 tests mimic successfully in all of 10 runs", "generate", "recording", "--spec", spec, "-o", "generated")
}
