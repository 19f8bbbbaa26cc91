//go:build unix

package probe

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"
)

// If the standard library of a Go release lacks a function or a type that the virtual network needs, the error names
// it.
func TestMissingHook(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads the standard library")
	}
	tools, err := openToolchain(context.Background(), ".")
	if err != nil {
		t.Fatal(err)
	}
	for pkg, c := range map[string]struct{ folder, from, to, want string }{
		"net":           {"net", "func (fd *netFD) accept(", "func (fd *netFD) acceptOne(", "net.(*netFD).accept"},
		"internal/poll": {"poll", "type pollDesc struct", "type pollDescriptor struct", "internal/poll.pollDesc"},
		"os":            {"os", "func Hostname(", "func HostName(", "os.Hostname"},
		"net/http":      {"http", "func (pc *persistConn) roundTrip(", "func (pc *persistConn) trip(", "net/http.(*persistConn).roundTrip"},
		"runtime/pprof": {"pprof", "func SetGoroutineLabels(", "func SetLabels(", "runtime/pprof.SetGoroutineLabels"},
	} {
		s := &patchedPackage{pkg: pkg, dir: t.TempDir(), tools: &toolchain{Version: "go1.99", OS: tools.OS, Arch: tools.Arch}}
		files, err := filepath.Glob(filepath.Join(tools.Root, "src", pkg, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(s.dir, filepath.Base(f)), strings.ReplaceAll(string(src), c.from, c.to))
		}
		if err := s.read("_net/" + c.folder); err != nil {
			t.Fatal(err)
		}
		want := "this Go (go1.99) has no " + c.want + ", which the virtual network needs: build without --net"
		if err := s.hook(map[string][]byte{}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// The overlay of the virtual network names the files that it adds to the standard library and those that it changes.
func TestWriteNetworkOverlay(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads the standard library")
	}
	folder := t.TempDir()
	list, err := WriteNetworkOverlay(context.Background(), ".", folder)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := openToolchain(context.Background(), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"net/zz_sonde_dial.go", "net/sock_posix.go"} {
		if !strings.Contains(string(text), filepath.Join(tools.Root, "src", file)) {
			t.Errorf("%s is not in %s", file, text)
		}
	}
}

// If the standard library does not compile with the virtual network, the error has one line. An error in the
// source of the service does not count as such an error.
func TestOtherNetwork(t *testing.T) {
	tools := &toolchain{Version: "go1.99", Root: "/go"}
	err := otherNetwork(&toolError{"build", "# net\n/go/src/net/zz_sonde_dial.go:7:3: undefined: sysDial\n"}, tools)
	const want = "this Go (go1.99) differs from those that the virtual network is made for: build without --net: " +
		"/go/src/net/zz_sonde_dial.go:7:3: undefined: sysDial"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := otherNetwork(&toolError{"build", "# example.com/app\n/home/app/main.go:7:3: undefined: x\n"}, tools); err != nil {
		t.Errorf("got %v", err)
	}
}

// The error for a system without a virtual network names the system in one line.
func TestNetworkOfOtherSystem(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the Go command")
	}
	dir := module(t, little)
	t.Setenv("GOOS", "windows")
	_, err := Build(context.Background(), Options{Dir: dir, Package: ".", Out: filepath.Join(t.TempDir(), "service"), Net: true})
	if err == nil || !strings.Contains(err.Error(), "cannot be built for windows") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}

// The manifest reports whether there is a virtual network.
func TestManifestNet(t *testing.T) {
	with := netProgram(t)
	_, without := builtModule(t, little, Options{})
	for binary, net := range map[string]bool{with: true, without.Binary: false} {
		m, err := probedata.ReadManifest(binary)
		if err != nil || m.Net != net {
			t.Errorf("got %v, %v", m.Net, err)
		}
	}
}

// A service that is built with -cover can have the virtual network, too.
func TestPlainNetwork(t *testing.T) {
	needsBuild(t)
	binary, dir := filepath.Join(t.TempDir(), "plain"), t.TempDir()
	if err := BuildWithCover(context.Background(), Options{Dir: "testdata/network", Package: ".", Out: binary, Net: true}); err != nil {
		t.Fatal(err)
	}
	t.Setenv(CoverDirVariable, dir)
	at := serve(t, echo)
	playBinary(t, binary, "net 1\nroute tcp 198.18.0.7:80 "+at+"\n", "echo", "198.18.0.7:80").want("hello from 198.18.0.7:80", "refused")
	all, err := ReadCover(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if part := CountStatements(all); part.Covered == 0 || part.Covered == part.All {
		t.Errorf("%d of %d statements", part.Covered, part.All)
	}
}
