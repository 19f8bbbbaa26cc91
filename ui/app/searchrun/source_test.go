package searchrun

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/service"
)

func TestSourceOfASession(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pay.go")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("package shop\n")
	file := model.SourceFile{Path: path, Sum: fmt.Sprintf("%x", sha256.Sum256([]byte("package shop\n")))}
	s := Run{readSource: (*service.Builder)(nil).ReadSource}
	if got, err := s.Source(file); got != "package shop\n" || err != nil {
		t.Errorf("got %q, error %v", got, err)
	}
	bad := func(file model.SourceFile, want string) {
		t.Helper()
		if got, err := s.Source(file); got != "" || err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("got %.20q, error %v, want %q", got, err, want)
		}
	}
	write("package shop \n")
	bad(file, "has changed since the service was built")
	write(strings.Repeat("x", service.MaxSourceBytes+1))
	bad(file, "larger than 16 MB")
	os.Remove(path)
	bad(file, "was removed after the service was built")
	bad(model.SourceFile{Path: dir}, "not a regular file")
	bad(model.SourceFile{Name: "(no file)"}, "does not say in which file these lines are")
	s.readSource = service.DemoBuilder().ReadSource
	if got, err := s.Source(model.SourceFile{Name: "sonde/assets/demo/server/main.go"}); !strings.Contains(got, "package main") ||
		err != nil {
		t.Errorf("of the demo: got %.20q, error %v", got, err)
	}
	bad(model.SourceFile{Name: "sonde/assets/demo/nothing.go", Path: "/x/nothing.go"}, "was removed")
}
