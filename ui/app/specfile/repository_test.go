package specfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"sonde/ui/app/specfile"
)

// The path of a spec is that in its repository. Without a repository it is relative to the current folder.
func TestPathInRepository(t *testing.T) {
	work := t.TempDir()
	for _, folder := range []string{"repo/.git", "repo/api/v1", "plain/api"} {
		if err := os.MkdirAll(filepath.Join(work, filepath.FromSlash(folder)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct{ current, file, want string }{
		"at the root":            {"repo", "spec.yaml", "spec.yaml"},
		"below the root":         {"repo/api", "v1/spec.yaml", "api/v1/spec.yaml"},
		"from outside":           {"plain", "../repo/api/spec.yaml", "api/spec.yaml"},
		"no repository":          {"plain", "api/spec.yaml", "api/spec.yaml"},
		"elsewhere, without one": {"repo", "../plain/api/spec.yaml", "spec.yaml"},
		"a name to be escaped":   {"repo", "a b#c?.yaml", "a%20b%23c%3F.yaml"},
		"a name like a scheme":   {"repo", "v1:x.yaml", "./v1:x.yaml"},
		"an absolute path":       {"repo", filepath.Join(work, "repo", "api", "x.yaml"), "api/x.yaml"},
		"a path with dots":       {"repo", "api/../api/x.yaml", "api/x.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(filepath.Join(work, filepath.FromSlash(c.current)))
			if got := specfile.PathInRepository(c.file); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPublicURL(t *testing.T) {
	for source, want := range map[string]string{
		"https://ann:x@shop.example/openapi.json?key=x#y": "https://shop.example/openapi.json",
		"http://127.0.0.1:8080/a b.json":                  "http://127.0.0.1:8080/a%20b.json",
		"https://%zz":                                     "",
	} {
		if got := specfile.PublicURL(source); got != want {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}
