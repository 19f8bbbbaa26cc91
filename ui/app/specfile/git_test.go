package specfile_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/app/specfile"
	"sonde/ui/console"
)

const oneOperation = "openapi: 3.0.3\ninfo: {title: Old, version: '1'}\npaths:\n  /a: {get: {responses: {'200': {description: ok}}}}\n"

// committed makes a Git repository with a commit of files, and changes to its folder. It skips the test without git.
func committed(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commit := []string{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "x"}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, commit} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	t.Chdir(dir)
	return dir
}

func TestSpecOfCommit(t *testing.T) {
	ref := strings.Replace(oneOperation, "{get: {responses: {'200': {description: ok}}}}", "{$ref: parts/a.yaml}", 1)
	dir := committed(t, map[string]string{
		"api/openapi.yaml": oneOperation, "api/split.yaml": ref, "api/parts/a.yaml": "get: {responses: {'200': {description: ok}}}\n",
		"root.yaml": strings.Replace(ref, "parts/", "api/parts/", 1), "bad.yaml": "openapi: none",
	})
	if err := os.WriteFile(filepath.Join(dir, "api", "openapi.yaml"), []byte("changed: true"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ current, source, err string }{
		"a file":                   {".", "git:HEAD:api/openapi.yaml", ""},
		"from a folder":            {"api", "git:HEAD:./openapi.yaml", ""},
		"above a folder":           {"api/parts", "git:HEAD:../openapi.yaml", ""},
		"a path from the root":     {"api/parts", "git:HEAD:api/openapi.yaml", ""},
		"files to which it refers": {"api/parts", "git:HEAD:api/split.yaml", ""},
		"the same at the root":     {"api", "git:HEAD:root.yaml", ""},
		"a file that is not there": {".", "git:HEAD:api/none.yaml", "none.yaml: git: fatal: path 'api/none.yaml' does not exist in 'HEAD'"},
		"a commit that is none":    {".", "git:v9:api/openapi.yaml", "git: fatal: invalid object name 'v9': fetch the commit first, as"},
		"an option":                {".", "git:--output=x:y", "names no file of a commit"},
		"no path":                  {".", "git:HEAD", "names no file of a commit"},
		"an absolute path":         {".", "git:HEAD:/etc/passwd", "names no file of a commit"},
		"no spec":                  {".", "git:HEAD:bad.yaml", "git:HEAD:bad.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(filepath.Join(dir, filepath.FromSlash(c.current)))
			spec, err := new(specfile.Loader).Load(t.Context(), console.Streams{}, c.source)
			switch {
			case c.err == "" && (err != nil || spec.Operation("GET /a") == nil):
				t.Errorf("error %v", err)
			case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n")):
				t.Errorf("got %v, want %s", err, c.err)
			}
		})
	}
}

// A spec in a commit has the limit of other specs.
func TestSpecOfCommitIsBounded(t *testing.T) {
	committed(t, map[string]string{
		"openapi.yaml": oneOperation, "split.yaml": "openapi: 3.0.3\npaths: {/a: {$ref: other.yaml}}\n",
		"other.yaml": "# " + strings.Repeat("x", 4000) + "\nget: {}\n",
	})
	for source, limit := range map[string]int64{"git:HEAD:openapi.yaml": 20, "git:HEAD:split.yaml": 2000} {
		l := specfile.Loader{MaxBytes: limit}
		if _, err := l.Load(t.Context(), console.Streams{}, source); err == nil || !strings.Contains(err.Error(), "--max-size") {
			t.Errorf("%s: %v", source, err)
		}
	}
}
