//go:build unix

package probe

import (
	"bufio"
	"context"
	"flag"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var publicUses = flag.Bool("uses", false, "use the virtual network by way of public modules, which are fetched")

// Libraries that services use work on the virtual network. Some libraries make system calls themselves. These
// libraries, and other programs, do not use the virtual network; the test has the results that they get
// instead.
//
//	go test ./runner/instrument/probe -run Uses -uses
func TestUses(t *testing.T) {
	if !*publicUses {
		t.Skip("fetches public modules: ask for it with -uses")
	}
	r, err := Build(context.Background(), Options{Dir: "testdata/uses", Package: ".", Out: filepath.Join(buildDir, "uses"), Net: true})
	if err != nil {
		t.Fatal(err)
	}
	table := "net 1\n" + far(t)
	for use, want := range map[string]string{
		"http": "page of web.example", "websocket": "re: hello", "grpc": "SERVING", "smtp": "sent",
		"mysql": "error: Error 1040 (08004): Too many connections", "pgx": "connected", "redis": "PONG",
		"dns by udp": "[a.example.\t1\tIN\tA\t198.18.0.1]", "dns by tcp": "[a.example.\t1\tIN\tA\t198.18.0.1]",
		"splice proxy": "1000000 the same: true",
	} {
		t.Run(use, func(t *testing.T) {
			p := playBinary(t, r.Binary, table, use)
			if got := p.output(); got != want {
				t.Errorf("got %q, want %q; told %q", got, want, p.read)
			}
		})
	}
	for use, c := range map[string]struct{ says, tells string }{
		"x/net/ipv4":    {"198.18.0.8:99: sendmsg: ", "raw udp 0.0.0.0:"},
		"raw syscall":   {"the real network was asked", "lookup host echo.example"},
		"child process": {"exit status 2", "exec "},
	} {
		t.Run(use, func(t *testing.T) {
			p := playBinary(t, r.Binary, table, use)
			if got := p.output(); !strings.Contains(got, c.says) || !strings.Contains(strings.Join(p.read, "\n"), c.tells) {
				t.Errorf("got %q, want %q; told %q, want %q", got, c.says, p.read, c.tells)
			}
		})
	}
}

// far starts the hosts that testdata/uses calls, and returns the table with their addresses.
func far(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(buildDir, "far")
	run(t, "testdata/uses", "go", "build", "-o", binary, "./far")
	c := exec.Command(binary)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); _ = c.Wait() })
	var table strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != ""; {
		table.WriteString(lines.Text() + "\n")
	}
	return table.String()
}
