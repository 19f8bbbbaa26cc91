package campaign_test

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sonde/runner/campaign"

	"github.com/klauspost/compress/zstd"
)

func TestPack(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "a", "b")
	for name, text := range map[string]string{"go.mod": "module m\n", "cmd/main.go": "package main\n", "run.sh": "#!/bin/sh\n"} {
		path := filepath.Join(from, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(from, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	packed, err := campaign.Pack(from, []string{"run.sh", "go.mod", "cmd/main.go"})
	if err != nil {
		t.Fatal(err)
	}
	again, err := campaign.Pack(from, []string{"cmd/main.go", "go.mod", "run.sh"})
	if err != nil || !bytes.Equal(packed, again) {
		t.Errorf("another order leads to another pack, %v", err)
	}
	for range 2 { // the second call finds the folder
		if err := campaign.Unpack(packed, to); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(to, "cmd", "main.go")); string(data) != "package main\n" {
		t.Errorf("main.go: %q, %v", data, err)
	}
	if info, err := os.Stat(filepath.Join(to, "run.sh")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("run.sh: %v, %v", info, err)
	}
	if _, err := campaign.Pack(from, []string{"missing"}); err == nil {
		t.Error("a missing file is packed")
	}
}

// A pack cannot write outside of its folder. A pack that cannot be unpacked leaves no files.
func TestHostilePack(t *testing.T) {
	for name, header := range map[string]tar.Header{
		"parent":   {Name: "../escaped", Size: 1, Mode: 0o600},
		"absolute": {Name: "/tmp/escaped", Size: 1, Mode: 0o600},
		"link":     {Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc"},
		"large":    {Name: "large", Size: campaign.MaxPacked + 1, Mode: 0o600},
	} {
		var b bytes.Buffer
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w := tar.NewWriter(z)
		if err := w.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte("x"))
		z.Close()
		parent := t.TempDir()
		if err := campaign.Unpack(b.Bytes(), filepath.Join(parent, "in")); err == nil {
			t.Errorf("%s: no error", name)
		}
		if left, _ := os.ReadDir(parent); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
	if err := campaign.Unpack([]byte("no pack"), filepath.Join(t.TempDir(), "in")); err == nil {
		t.Error("what is no pack is unpacked")
	}
}

func TestRemoveUnused(t *testing.T) {
	folder := t.TempDir()
	for name, age := range map[string]time.Duration{"old": 8 * 24 * time.Hour, "new": 6 * 24 * time.Hour} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := campaign.RemoveUnused(folder); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 || left[0].Name() != "new" {
		t.Errorf("left %v, %v", left, err)
	}
	if err := campaign.RemoveUnused(filepath.Join(folder, "none")); err != nil {
		t.Error(err)
	}
}
