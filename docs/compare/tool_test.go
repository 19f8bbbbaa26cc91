package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSchemathesisCommand(t *testing.T) {
	command := schemathesis("st", []string{"--no-color"})
	j := job{seed: 3, requests: 100}
	got := command(service{spec: "api.yaml"}, "http://x", j)
	want := []string{"st", "run", "api.yaml", "--url", "http://x", "--seed", "3", "--no-color"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	got = command(service{spec: "api.yaml", toml: "users.toml"}, "http://x", j)
	if !slices.Equal(got[:3], []string{"st", "--config-file", "users.toml"}) {
		t.Errorf("with a configuration: %q", got)
	}
}

func TestSondeCommand(t *testing.T) {
	got := sondeSearch("sonde")(service{spec: "api.yaml", config: "sonde.yaml"}, "http://x", job{seed: 3, requests: 100})
	for _, want := range []string{"search api.yaml", "--url http://x", "--config sonde.yaml", "--calls 100", "--seed 3"} {
		if !strings.Contains(strings.Join(got, " "), want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
}

func TestRunOfDependsOnToolServiceAndJob(t *testing.T) {
	tl, s, j := tool{name: "sonde", version: "1"}, service{name: "demo", version: "a"}, job{seed: 1, requests: 9}
	names := map[string]bool{runOf(tl, s, j): true}
	newer, rebuilt := tl, s
	newer.version, rebuilt.version = "2", "b"
	for _, name := range []string{
		runOf(newer, s, j), runOf(tl, rebuilt, j), runOf(tl, s, job{seed: 2, requests: 9}), runOf(tl, s, job{seed: 1, requests: 8}),
	} {
		if names[name] {
			t.Errorf("%q names two runs", name)
		}
		names[name] = true
	}
}

func TestFingerprint(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for file, text := range map[string]string{a: "1", b: "2"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one, err := fingerprint(a)
	if err != nil {
		t.Fatal(err)
	}
	both, err := fingerprint(a, b)
	if err != nil || one == both || len(one) != 12 {
		t.Errorf("%q and %q, %v", one, both, err)
	}
	if _, err := fingerprint(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing file has a fingerprint")
	}
}

func TestKeptRefusesOtherFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.ndjson")
	if err := os.WriteFile(file, []byte("no JSON\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readKept(file); err == nil || !strings.Contains(err.Error(), ":1 is not a run") {
		t.Errorf("error %v", err)
	}
}

func TestKeptRepeatsAFailedRun(t *testing.T) {
	k, err := readKept("")
	if err != nil {
		t.Fatal(err)
	}
	failed := errors.New("no service")
	if _, err := k.run("a", func() (result, error) { return result{}, failed }); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	got, err := k.run("a", func() (result, error) { return result{Requests: 4}, nil })
	if err != nil || got.Requests != 4 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := parse([]string{"-seeds", "1"}); err == nil || !strings.Contains(err.Error(), "there is no Schemathesis") {
		t.Errorf("without Schemathesis: %v", err)
	}
	st, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse([]string{"-st", st, "-seeds", "0"}); err == nil || !strings.Contains(err.Error(), "-seeds 0") {
		t.Errorf("without seeds: %v", err)
	}
	if o, err := parse([]string{"-st", st, "-requests", "7"}); err != nil || o.requests != 7 || o.seeds != 10 {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestPlayJudgesTheExitCode(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a shell")
	}
	for code, ok := range map[string]bool{"0": true, "1": true, "2": false} {
		if err := play(context.Background(), []string{"sh", "-c", "exit " + code}); (err == nil) != ok {
			t.Errorf("exit code %s: error %v", code, err)
		}
	}
}
