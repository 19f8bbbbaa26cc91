package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// executable writes an executable file.
func executable(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestFormatPrefersTheFolderOfTools(t *testing.T) {
	tools := t.TempDir()
	t.Setenv("PATH", t.TempDir())
	f := formats["hurl"]
	if got := f.missing(tools); got != "no hurl here" {
		t.Errorf("missing: %q", got)
	}
	inBin := filepath.Join(tools, "bin", "hurl")
	executable(t, inBin)
	if got := f.path(tools); got != inBin || f.missing(tools) != "" {
		t.Errorf("path %q, missing %q", got, f.missing(tools))
	}
	inPython := filepath.Join(tools, "python", "bin", "hurl")
	executable(t, inPython)
	if got := f.path(tools); got != inPython {
		t.Errorf("path %q", got)
	}
}

func TestCommandOfFormat(t *testing.T) {
	dir, tools := t.TempDir(), t.TempDir()
	for _, name := range []string{"a_test.go", "helper.go", "a.hurl"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range []string{"go", "hurl"} {
		executable(t, filepath.Join(tools, "bin", program))
	}
	secrets := map[string]string{"TOKEN": "t", "KEY": "k"}
	goTool := filepath.Join(tools, "bin", "go")
	build := []string{goTool, "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", "suite.test", filepath.Join(dir, "a_test.go")}
	if got := formats["go"].buildCommand(tools, dir); !slices.Equal(got, build) {
		t.Errorf("build of go: %q, want %q", got, build)
	}
	if got := formats["hurl"].buildCommand(tools, dir); got != nil {
		t.Errorf("build of hurl: %q", got)
	}
	for name, want := range map[string][]string{
		"go": {filepath.Join(dir, "suite.test")},
		"hurl": {
			filepath.Join(tools, "bin", "hurl"), "--test", "--jobs", "1", "--variable", "base_url=http://x",
			filepath.Join(dir, "a.hurl"), "--secret", "KEY=k", "--secret", "TOKEN=t",
		},
	} {
		if got := formats[name].command(tools, dir, "http://x", secrets); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
