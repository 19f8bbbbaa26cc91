//go:build unix

package probe

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// builtNetProgram is testdata/network, built once with the virtual network.
var builtNetProgram = sync.OnceValues(func() (string, error) {
	r, err := Build(
		context.Background(),
		Options{Dir: "testdata/network", Package: ".", Out: filepath.Join(buildDir, "network"), Net: true},
	)
	if err != nil {
		return "", err
	}
	return r.Binary, nil
})

// netProgram returns the path of builtNetProgram. It skips the test in short test runs.
func netProgram(t testing.TB) string {
	t.Helper()
	needsBuild(t)
	binary, err := builtNetProgram()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// player is a program on the virtual network. The test has the place of Sonde: it reads the events and sends
// the commands.
type player struct {
	t      testing.TB
	cmd    *exec.Cmd
	ctl    *os.File
	in     io.WriteCloser
	out    bytes.Buffer
	errs   bytes.Buffer
	events chan string
	read   []string // all events that were read
	slots  *[1 << 16]slot
}

// play starts the program with arguments, on the network of a table.
func play(t *testing.T, table string, args ...string) *player {
	t.Helper()
	binary := netProgram(t)
	return playBinary(t, binary, "net 1\n"+table, args...)
}

func playBinary(t *testing.T, binary, table string, args ...string) *player {
	t.Helper()
	p := newPlayer(t, binary, table, args...)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.errs
	p.start()
	return p
}

// newPlayer returns a program that is not started yet.
func newPlayer(t testing.TB, binary, table string, args ...string) *player {
	t.Helper()
	needsBuild(t)
	file := filepath.Join(t.TempDir(), "table")
	write(t, file, table)
	p := &player{t: t, cmd: exec.Command(binary, args...), events: make(chan string, 1000)}
	p.cmd.Env = append(os.Environ(), "SONDE_NET="+file, "SONDE_NET_CTL=3")
	var err error
	p.in, err = p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// start starts the program, and connects it with the test by a channel.
func (p *player) start() {
	p.t.Helper()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		p.t.Fatal(err)
	}
	theirs := os.NewFile(uintptr(fds[1]), "theirs")
	defer theirs.Close()
	p.ctl, p.cmd.ExtraFiles = os.NewFile(uintptr(fds[0]), "ours"), []*os.File{theirs}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go p.listen()
	p.t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait(); p.ctl.Close() })
}

// slot is an independent copy of the layout of SondeSlot.
type slot struct{ owner, toggles, written, read, wanted, _, _, _ atomic.Uint64 }

// share makes a program, which is not started yet, show in shared memory which connections it waits on.
func (p *player) share() {
	p.t.Helper()
	f, err := os.Create(filepath.Join(p.t.TempDir(), "slots"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	size := int(unsafe.Sizeof(*p.slots))
	if err := f.Truncate(int64(size)); err != nil {
		p.t.Fatal(err)
	}
	shared, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		p.t.Fatal(err)
	}
	p.slots = (*[1 << 16]slot)(unsafe.Pointer(unsafe.SliceData(shared)))
	p.t.Cleanup(func() { syscall.Munmap(shared) })
	p.cmd.Env = append(p.cmd.Env, "SONDE_NET_SLOTS="+f.Name())
}

// show is like play, for a program that shows in shared memory which connections it waits on. begin is called with
// the slots before the start.
func show(t *testing.T, table string, begin func(*[1 << 16]slot), args ...string) *player {
	t.Helper()
	binary := netProgram(t)
	p := newPlayer(t, binary, "net 1\n"+table, args...)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.errs
	p.share()
	if begin != nil {
		begin(p.slots)
	}
	p.start()
	return p
}

// eventually waits until holds returns true. The test fails after a minute.
func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	for late := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("it does not come about")
		}
	}
}

func (p *player) listen() {
	defer close(p.events)
	for lines := bufio.NewScanner(p.ctl); lines.Scan(); {
		p.events <- lines.Text()
	}
}

// next waits for an event that begins with a text, and returns its other fields.
func (p *player) next(begins string) []string {
	p.t.Helper()
	timeout := time.After(time.Minute)
	for {
		select {
		case e, ok := <-p.events:
			if !ok {
				p.t.Fatalf("the program ended without %q; events %q, output %q, errors %q", begins, p.read, p.out.String(), p.errs.String())
			}
			p.read = append(p.read, e)
			if rest, ok := strings.CutPrefix(e+" ", begins+" "); ok {
				return strings.Fields(rest)
			}
		case <-timeout:
			p.t.Fatalf("no %q came; events %q", begins, p.read)
		}
	}
}

// send sends a command to the program.
func (p *player) send(format string, args ...any) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.ctl, format, args...); err != nil {
		p.t.Error(err)
	}
}

// output waits for the end of the program and returns what it printed.
func (p *player) output() string {
	p.t.Helper()
	p.in.Close()
	kill := time.AfterFunc(5*time.Minute, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	for e := range p.events {
		p.read = append(p.read, e)
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("%v: %s%s", err, p.out.String(), p.errs.String())
	}
	return strings.TrimSpace(p.out.String())
}

// eventsWith returns all events so far that begin with a text.
func (p *player) eventsWith(begins string) (all []string) {
	for _, e := range p.read {
		if strings.HasPrefix(e+" ", begins+" ") {
			all = append(all, e)
		}
	}
	return all
}

// serve serves TCP on the loopback and returns the address.
func serve(t testing.TB, each func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go each(c)
		}
	}()
	return l.Addr().String()
}
