package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/suite"
	"sonde/ui/app/usecase"
)

// A recording that the app has made becomes tests. The preview equals the written file, kept tests are exported
// together with all others, and the recording is read again only after it has changed.
func TestTestsOfARecording(t *testing.T) {
	w, url := demoWorkspace(t)
	dir := t.TempDir()
	r, err := w.recorder.start(
		t.Context(),
		usecase.RecordSettings{In: []usecase.ProxyRoute{{Addr: "127.0.0.1:0", URL: url}}, Folder: filepath.Join(dir, "rec")},
	)
	if err != nil {
		t.Fatal(err)
	}
	asks(t, r, "/products?limit=1")
	asks(t, r, "/favicon.ico")
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	of := usecase.GenerateRequest{Folder: r.Folder(), Oracles: model.MockOracles, Dir: filepath.Join(dir, "tests")}
	for _, s := range r.Snapshot().Served {
		of.IDs = append(of.IDs, s.ID)
	}
	m, err := w.replays.list(t.Context(), of)
	if err != nil || len(m.Tests) != 1 || m.Skipped[of.IDs[1]] == "" || !strings.HasPrefix(m.Command, "sonde generate ") {
		t.Fatalf("made %+v, error %v", m, err)
	}
	shared := w.replays.latest
	seen, err := w.replays.preview(of, m.Tests)
	if err != nil || !strings.Contains(seen, "_OO(t *testing.T)") || !strings.Contains(seen, "// Arrange") {
		t.Errorf("the preview is %q, error %v", seen, err)
	}
	path, err := w.replays.write(of, m.Tests, false)
	file, _ := os.ReadFile(path)
	if err != nil || string(file) != seen {
		t.Errorf("wrote %q with %d bytes of %d, error %v", path, len(file), len(seen), err)
	}
	if w.replays.latest != shared {
		t.Error("the recording was read again for each use")
	}
	if _, err := w.replays.write(of, m.Tests, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second time: %v", err)
	}
	if text, err := w.exporter.preview(suite.DefaultFormat, "", m.Tests); err != nil || !strings.Contains(text, "_OO(t *testing.T)") {
		t.Errorf("exported with all others it is %q, error %v", text, err)
	}
	if err := os.WriteFile(filepath.Join(of.Folder, "more"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.replays.list(t.Context(), of); err != nil || w.replays.latest == shared {
		t.Errorf("a recording that has changed was not read again, error %v", err)
	}
}

// The end of the app interrupts tests that are being played, and waits until their folder is removed.
func TestCloseWaitsForPlayedTests(t *testing.T) {
	w, url := demoWorkspace(t)
	dir, scratch := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", scratch)
	r, err := w.recorder.start(
		t.Context(),
		usecase.RecordSettings{In: []usecase.ProxyRoute{{Addr: "127.0.0.1:0", URL: url}}, Folder: filepath.Join(dir, "rec")},
	)
	if err != nil {
		t.Fatal(err)
	}
	asks(t, r, "/products?limit=1")
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	of := usecase.GenerateRequest{Folder: r.Folder(), Oracles: model.MockOracles, Dir: filepath.Join(dir, "tests")}
	of.IDs = append(of.IDs, r.Snapshot().Served[0].ID)
	m, err := w.replays.list(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	played := make(chan error, 1)
	go func() {
		_, err := w.replays.play(t.Context(), of, m.Tests)
		played <- err
	}()
	folders := func() []string {
		all, _ := filepath.Glob(filepath.Join(scratch, "sonde-generate-*"))
		return all
	}
	for len(folders()) == 0 {
		select {
		case err := <-played:
			t.Fatalf("the tests were played to the end: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	w.Close()
	if left := folders(); len(left) > 0 {
		t.Errorf("%q is still there", left)
	}
	if err := <-played; !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that the context has ended", err)
	}
}
