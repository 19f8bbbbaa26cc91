package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	ann = user{Name: "ann", Headers: map[string]string{"X-Key": "1", "Authorization": "Bearer a"}}
	bob = user{Name: "bob", Headers: map[string]string{"Authorization": "Bearer b"}}
)

// toTarget returns a target with the given users. The folder of its run is a new one.
func toTarget(t *testing.T, users ...user) target {
	t.Helper()
	return target{spec: "/api.yaml", url: "http://x", base: "/v1", users: users, dir: t.TempDir()}
}

// has reports whether a command contains these words, one directly after the other.
func has(command []string, words ...string) bool {
	for i := range command {
		if i+len(words) <= len(command) && slices.Equal(command[i:i+len(words)], words) {
			return true
		}
	}
	return false
}

// file returns the content of a file in the folder of a run.
func file(t *testing.T, on target, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(on.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const bothUsers = `auth:
    - name: ann
      fixedHeaders:
        - name: Authorization
          value: Bearer a
        - name: X-Key
          value: "1"
    - name: bob
      fixedHeaders:
        - name: Authorization
          value: Bearer b
`

func TestSondeCommand(t *testing.T) {
	on := toTarget(t, ann, bob)
	on.sonde = map[string]any{"reset": "POST /__reset"}
	got, err := sondeSearch([]string{"sonde"})(on, job{seed: 3, requests: 100})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"sonde", "search", "/api.yaml", "--url", "http://x/v1", "--config", filepath.Join(on.dir, "sonde.yaml"),
		"--calls", "100", "--seed", "3", "-o", "run", "--keep-going",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(bothUsers+"reset: POST /__reset\n", file(t, on, "sonde.yaml")); diff != "" {
		t.Error(diff)
	}
}

func TestSondeCommandThatStartsService(t *testing.T) {
	on := toTarget(t)
	on.sut = map[string]any{"port": "8080"}
	got, err := sondeSearch([]string{"sonde"}, "--black")(on, job{seed: 3, requests: 100})
	if err != nil {
		t.Fatal(err)
	}
	if has(got, "--url") || got[len(got)-1] != "--black" {
		t.Errorf("got %q", got)
	}
	if diff := cmp.Diff("sut:\n    port: \"8080\"\nurl: http://x/v1\n", file(t, on, "sonde.yaml")); diff != "" {
		t.Error(diff)
	}
}

func TestSchemathesisCommand(t *testing.T) {
	command := schemathesisRun("st", []string{"--no-color"})
	j := job{seed: 3, requests: 100}
	got, err := command(toTarget(t, ann), j)
	want := []string{
		"st", "run", "/api.yaml", "--url", "http://x/v1", "--seed", "3",
		"--header", "Authorization: Bearer a", "--header", "X-Key: 1", "--no-color",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	on := toTarget(t, ann, bob)
	if got, err = command(on, j); err != nil {
		t.Fatal(err)
	}
	if !has(got, "st", "--config-file", filepath.Join(on.dir, "schemathesis.toml"), "run") || has(got, "--header") {
		t.Errorf("with two users: %q", got)
	}
	toml := "[auth.wfc]\npath = \"" + filepath.Join(on.dir, "users.yaml") + "\"\npeers = [\"ann\", \"bob\"]\n"
	if diff := cmp.Diff(toml+bothUsers, file(t, on, "schemathesis.toml")+file(t, on, "users.yaml")); diff != "" {
		t.Error(diff)
	}
}

func TestEvoMasterCommand(t *testing.T) {
	command := evomasterRun([]string{"java", "-jar", "em.jar"})
	j := job{seed: 3, requests: 100}
	got, err := command(toTarget(t, ann), j)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]string{
		{"java", "-jar", "em.jar", "--blackBox", "true"},
		{"--bbSwaggerUrl", "file:///api.yaml", "--bbTargetUrl", "http://x"},
		{"--maxEvaluations", "100", "--seed", "3"},
		{"--header0", "Authorization:Bearer a", "--header1", "X-Key:1"},
	} {
		if !has(got, want...) {
			t.Errorf("%q has no %q", got, want)
		}
	}
	on := toTarget(t, ann, bob)
	if got, err = command(on, j); err != nil {
		t.Fatal(err)
	}
	if !has(got, "--configPath", filepath.Join(on.dir, "em.yaml")) || has(got, "--header0") {
		t.Errorf("with two users: %q", got)
	}
	if diff := cmp.Diff(bothUsers, file(t, on, "em.yaml")); diff != "" {
		t.Error(diff)
	}
	many := user{Name: "many", Headers: map[string]string{"A": "1", "B": "2", "C": "3", "D": "4"}}
	if _, err := command(toTarget(t, many), j); err == nil || !strings.Contains(err.Error(), "can send 3 headers") {
		t.Errorf("four headers: error %v", err)
	}
}
