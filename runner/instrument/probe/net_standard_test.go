//go:build unix

package probe

import (
	"context"
	"flag"
	"path"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var standardTests = flag.Bool("standard", false, "run the standard library's own tests with the virtual network in it, switched off")

// With a virtual network that is switched off, the standard library's own tests have the same results
// as without it.
//
//	go test ./runner/instrument/probe -run StandardTests -standard -timeout 2h
func TestStandardTests(t *testing.T) {
	if !*standardTests || testing.Short() {
		t.Skip("builds and runs the standard library's tests, which takes minutes: ask for it with -standard")
	}
	tools, err := openToolchain(context.Background(), ".")
	if err != nil {
		t.Fatal(err)
	}
	o := newOverlay(nil)
	if err := o.addNetwork(tools); err != nil {
		t.Fatal(err)
	}
	list, err := o.save(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range []string{"internal/poll", "os", "net", "net/http", "net/rpc", "net/smtp", "crypto/x509", "crypto/tls"} {
		t.Run(pkg, func(t *testing.T) {
			dir := filepath.Join(tools.Root, "src", filepath.FromSlash(pkg))
			plain, virtual := filepath.Join(t.TempDir(), "plain"), filepath.Join(t.TempDir(), path.Base(pkg))
			run(t, dir, "go", "test", "-c", "-o", plain, ".")
			run(t, dir, "go", "test", "-c", "-overlay", list, "-o", virtual, ".")
			want, got := outcomes(t, plain, dir), outcomes(t, virtual, dir)
			t.Logf("%d tests", len(want))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("other tests pass with the virtual network:\n%s", diff)
			}
		})
	}
}
