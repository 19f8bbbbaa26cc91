package affected_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/analysis/specdiff"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/ui/app/affected"

	"github.com/google/go-cmp/cmp"
)

func analyzed(t *testing.T, paths string) *analysis.Analysis {
	t.Helper()
	text := "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n" + paths
	spec, err := openapi.Parse(t.Context(), "t.yaml", []byte(text), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analysis.Analyze(spec, analysis.Options{})
}

const (
	older = `
  /a: {get: {responses: {"200": {description: ok}}}}
  /b: {get: {responses: {"200": {description: ok}}}}
  /c: {get: {operationId: c, responses: {"200": {description: ok}}}}
  /d: {post: {requestBody: {content: {text/plain: {schema: {type: string}}}}, responses: {"200": {description: ok}}}}
`
	newer = `
  /a: {get: {responses: {"200": {description: ok}, "404": {description: none}}}}
  /c/d: {get: {operationId: c, responses: {"200": {description: ok}}}}
  /d: {post: {requestBody: {required: true, content: {text/plain: {schema: {type: string}}}}, responses: {"200": {description: ok}}}}
  /e: {get: {responses: {"200": {description: ok}}}}
`
)

// folder writes files and returns their folder. files has the text of each file, by its path.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func find(t *testing.T, paths ...string) (*affected.Tests, error) {
	t.Helper()
	before, after := analyzed(t, older), analyzed(t, newer)
	return affected.Find(before, specdiff.Compare(before, after), after.Spec, paths)
}

const session = `{"log":{"version":"1.2","entries":[
{"request":{"method":"GET","url":"http://h/b"},"response":{"status":200}},
{"request":{"method":"GET","url":"http://h/z"},"response":{"status":200}}]}}`

const suite = `{"version": 1, "tests": [{"id": "t1", "calls": [{"op": "GET /b"}, {"op": "GET /a"}]}]}`

// A breaking change of an operation affects the tests that call it. An addition does not.
func TestFind(t *testing.T) {
	dir := folder(t, map[string]string{"seqs": "GET /a, GET /e\nGET /b, GET /c, POST /d, GET /b\nGET /x, GET /a\n"})
	got, err := find(t, filepath.Join(dir, "seqs"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "seqs")
	want := &affected.Tests{Total: 3, Affected: []affected.Test{
		{
			File: file, Name: "line 2", Removed: []model.OpID{"GET /b"}, Moved: []model.OpID{"GET /c"}, Broken: []model.OpID{"POST /d"},
		},
		{File: file, Name: "line 3", Unknown: []model.OpID{"GET /x"}},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want and got (-+):\n%s", d)
	}
}

// Each test file below a folder is read once, and other files are ignored.
func TestFindInFolders(t *testing.T) {
	dir := folder(t, map[string]string{
		"one/run/run.json":         `{"version": 1}`,
		"one/run/suite.json":       suite,
		"two/session.har":          session,
		"two/package.json":         `{"name": "x"}`,
		"two/notes.txt":            "GET /b",
		"two/.git/suite.json":      suite,
		"two/broken.json":          `{"version": 1, "tests": "x"}`,
		"two/exported.hurl":        "# Sonde wrote this file; it is yours to change.\n",
		"two/helper.py":            "pass\n",
		"two/unrelated_test.go":    "package x\n",
		"two/deep/down/suite.json": suite,
	})
	got, err := find(t, dir, filepath.Join(dir, "one"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, a := range got.Affected {
		rel, err := filepath.Rel(dir, a.File)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.ToSlash(rel))
	}
	if d := cmp.Diff([]string{"one/run", "two/deep/down/suite.json", "two/session.har"}, files); d != "" {
		t.Errorf("affected (-+):\n%s", d)
	}
	if got.Total != 3 || got.Unmatched != 1 {
		t.Errorf("got %d tests and %d unmatched calls, want 3 and 1", got.Total, got.Unmatched)
	}
	var unread []string
	for _, u := range got.Unread {
		unread = append(unread, filepath.Base(u.File))
	}
	if d := cmp.Diff([]string{"broken.json", "exported.hurl"}, unread); d != "" {
		t.Errorf("unread (-+):\n%s", d)
	}
}

func TestFindRefuses(t *testing.T) {
	dir := folder(t, map[string]string{"x.json": `{"a": 1}`})
	for path, want := range map[string]string{
		filepath.Join(dir, "nothing"): "there is no file or folder",
		filepath.Join(dir, "x.json"):  "holds no tests that Sonde can read",
	} {
		if _, err := find(t, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}
