package doctor

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sonde/model/config"
)

// script writes a program into a new folder and returns its path.
func script(t *testing.T, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	path := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOutput(t *testing.T) {
	for name, c := range map[string]struct{ text, want, err string }{
		"standard output":   {"echo 1.2 $1; echo noise >&2", "1.2 --version\n", ""},
		"error output":      {"echo 1.2 >&2", "1.2\n", ""},
		"failure":           {"echo; echo no such option >&2; exit 3", "", "tool --version fails: exit status 3: no such option"},
		"silent failure":    {"exit 3", "", "tool --version fails: exit status 3"},
		"root folder":       {"pwd", "/\n", ""},
		"no other release":  {"echo $GOTOOLCHAIN", "local\n", ""},
		"only its own name": {"basename $0", "tool\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := installedPrograms{}.Output(t.Context(), script(t, c.text), "--version")
			if got != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("got %q and %v, want %q and %q", got, err, c.want, c.err)
			}
		})
	}
}

// A program that does not end is killed, and one that prints without end is cut.
func TestOutputIsLimited(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := installedPrograms{}.Output(ctx, script(t, "exec sleep 600"), "-v")
	if err == nil || err.Error() != "tool -v takes too long" {
		t.Errorf("got %v", err)
	}
	got, err := installedPrograms{}.Output(t.Context(), script(t, "head -c 1000000 /dev/zero"))
	if err != nil || len(got) != maxOutput {
		t.Errorf("got %d bytes and %v, want %d", len(got), err, maxOutput)
	}
}

func TestFind(t *testing.T) {
	path := script(t, "")
	t.Setenv("PATH", filepath.Dir(path))
	if got, err := (installedPrograms{}).Find("tool"); got != path || err != nil {
		t.Errorf("got %q and %v", got, err)
	}
	for _, missing := range []string{"tools", "./tools"} {
		if _, err := (installedPrograms{}).Find(missing); err == nil || strings.Contains(err.Error(), "tools") {
			t.Errorf("%s: got %v, want an error without the name", missing, err)
		}
	}
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "a", "b")
	f := localFiles{}
	if err := errors.Join(f.CheckWritable(dir), f.CheckCreatable(dir), f.CheckCreatable(missing)); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"missing":      f.CheckWritable(missing),
		"a file":       f.CheckWritable(file),
		"below a file": f.CheckCreatable(filepath.Join(file, "a")),
	} {
		if err == nil || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v, want an error without the path", name, err)
		}
	}
	if names, err := f.List(dir); err != nil || len(names) != 1 || names[0] != "file" {
		t.Errorf("the checks left %q (%v)", names, err)
	}
	if _, err := f.List(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if free, err := f.FreeSpace(dir); !errors.Is(err, errors.ErrUnsupported) && (err != nil || free == 0) {
		t.Errorf("%d bytes are free (%v)", free, err)
	}
}

// The real checks read the files of the folder, and call no address in them.
func TestCurrentFolder(t *testing.T) {
	calls, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer calls.Close()
	base := "http://" + calls.Addr().String()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sonde.yaml": "spec: shop.yaml\nurl: " + base + "\nsut: {run: [./serve]}\n",
		"serve":      "#!/bin/sh\n",
		"shop.yaml": "openapi: 3.0.3\ninfo: {title: Shop, version: '1'}\nservers: [{url: " + base + "}]\npaths:\n" +
			"  /a: {$ref: '" + base + "/a.yaml'}\n  /b: {get: {responses: {200: {description: ok}}}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	e := NewEnvironment()
	e.System.CheckNamespaces = func() error { return nil } // the test binary is not Sonde
	r := Run(t.Context(), e)
	if r.Config != config.FileName || !r.Passed {
		t.Errorf("got %+v", r)
	}
	for name, want := range map[string]string{"spec": "1 operation, 1 problem", "service": base, "start": "serve"} {
		if got := found(t, r, name); !strings.Contains(got.Found, want) {
			t.Errorf("%s: got %q, want %q", name, got.Found, want)
		}
	}
	if err := calls.(*net.TCPListener).SetDeadline(time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := calls.Accept(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the address was called (%v)", err)
	}
}

func TestNewScreen(t *testing.T) {
	if got := NewScreen(&strings.Builder{}); got != (Screen{}) {
		t.Errorf("got %+v for no terminal", got)
	}
}
