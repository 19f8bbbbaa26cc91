package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/tty"
)

func TestPlayTypesAndWaits(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a program in a terminal")
	}
	s, err := tty.Start(exec.Command("cat"), 40, 5)
	if err != nil {
		t.Skip(err)
	}
	defer s.Kill()
	if err := play(s, []step{{"first\r", "first"}, {"second\r", `(?s)first.*sec[o]nd`}}); err != nil {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "screen.svg")
	if err := write(s, file); err != nil {
		t.Error(err)
	}
}

func TestBuildNamesWhatFails(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the Go command")
	}
	err := build(t.TempDir(), "x", "./nowhere")
	if err == nil || !strings.Contains(err.Error(), "go build") || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("error %v", err)
	}
}
