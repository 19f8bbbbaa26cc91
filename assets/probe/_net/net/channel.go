//go:build unix

package net

import (
	"internal/poll"
	"sync"
	"syscall"
)

// sondeOut is the channel to the other end: a file descriptor that the service inherited, -1 if
// there is none.
var sondeOut = struct {
	sync.Mutex
	fd    int
	later []byte // lines of sondeTellLater
}{fd: -1}

// sondeOpenChannel opens the channel. Child processes of the service do not inherit it.
func sondeOpenChannel() {
	number, _ := syscall.Getenv(sondeChannel)
	fd := sondeInt(number)
	if fd < 0 {
		return
	}
	_ = syscall.Unsetenv(sondeChannel)
	if err := syscall.SetNonblock(fd, false); err != nil {
		sondeComplain("the channel of the virtual network is not there: " + sondeChannel + "=" + number + ": " + err.Error())
		return
	}
	syscall.CloseOnExec(fd)
	sondeOut.fd = fd
	tell := sondeTell
	poll.SondeTell.Store(&tell)
	sondeTell("hello", "1", sondeText(uint64(syscall.Getpid())))
	go sondeObey(&sondeInput{fd: fd})
}

func sondeHasChannel() bool {
	sondeOut.Lock()
	defer sondeOut.Unlock()
	return sondeOut.fd >= 0
}

// sondeTell reports an event.
func sondeTell(fields ...string) { sondeSay(sondeLine(fields)) }

// sondeMostLater is the size of sondeOut.later, in bytes, at which it is sent.
const sondeMostLater = 4096

// sondeTellLater reports an event together with the next event of sondeTell, so that it does not
// wake the other end by itself. The event is also sent when the other end sends a sync command.
func sondeTellLater(fields ...string) {
	line := sondeLine(fields)
	sondeOut.Lock()
	defer sondeOut.Unlock()
	if sondeOut.fd >= 0 {
		sondeOut.later = append(sondeOut.later, line...)
	}
	if len(sondeOut.later) >= sondeMostLater {
		sondeWrite(nil)
	}
}

func sondeLine(fields []string) []byte {
	line := make([]byte, 0, 128)
	for i, f := range fields {
		if i > 0 {
			line = append(line, ' ')
		}
		line = sondeEscape(line, f)
	}
	return append(line, '\n')
}

// sondeSay sends a line.
func sondeSay(line []byte) {
	sondeOut.Lock()
	defer sondeOut.Unlock()
	sondeWrite(line)
}

// sondeWrite sends the lines of sondeTellLater, and then the given line. The caller must hold the
// mutex.
func sondeWrite(line []byte) {
	if len(sondeOut.later) > 0 {
		line = append(sondeOut.later, line...)
		sondeOut.later = line[:0]
	}
	for sondeOut.fd >= 0 && len(line) > 0 {
		n, err := syscall.Write(sondeOut.fd, line)
		switch {
		case err == syscall.EINTR:
		case err != nil: // the other end has closed the channel; sondeObey closes fd
			sondeOut.fd = -1
		default:
			line = line[n:]
		}
	}
}

// sondeInput reads commands from the channel.
type sondeInput struct {
	fd  int
	buf []byte // data that was read ahead
}

// more reads more data into buf. It returns false at the end of the data.
func (in *sondeInput) more() bool {
	var chunk [4096]byte
	for {
		n, err := syscall.Read(in.fd, chunk[:])
		if err == syscall.EINTR {
			continue
		}
		in.buf = append(in.buf, chunk[:max(n, 0)]...)
		return n > 0
	}
}

func (in *sondeInput) line() (string, bool) {
	for {
		if line, rest, found := sondeCut(string(in.buf), '\n'); found {
			in.buf = []byte(rest)
			return line, true
		}
		if !in.more() {
			return "", false
		}
	}
}

func (in *sondeInput) bytes(n int) (string, bool) {
	for len(in.buf) < n {
		if !in.more() {
			return "", false
		}
	}
	text := string(in.buf[:n])
	in.buf = in.buf[n:]
	return text, true
}

// sondeObey executes the commands of the other end until it closes the channel.
func sondeObey(in *sondeInput) {
	for {
		line, ok := in.line()
		if !ok || !in.obey(sondeFields(line)) {
			break
		}
	}
	sondeOut.Lock()
	defer sondeOut.Unlock()
	sondeOut.fd = -1
	_ = syscall.Close(in.fd)
	sondeDoors.end()
}

// obey executes a command. It returns false if the channel has ended.
func (in *sondeInput) obey(f []string) bool {
	switch {
	case len(f) == 3 && f[0] == "table":
		return in.table(f[1], sondeInt(f[2]))
	case len(f) == 2 && f[0] == "sync":
		sondeTell("synced", f[1])
	case len(f) == 4 && f[0] == "door":
		sondeDoors.open(uint64(sondeInt(f[1])), f[2], f[3])
	case len(f) == 3 && f[0] == "starve":
		errno, known := sondeErrnos[f[2]]
		if w := sondeWatchOf(uint64(sondeInt(f[1]))); w != nil && known {
			w.Starve(errno)
		}
	default:
		sondeComplain("the virtual network knows no such command")
	}
	return true
}

func (in *sondeInput) table(number string, n int) bool {
	text, ok := in.bytes(max(n, 0))
	if !ok {
		return false
	}
	if err := sondeSetTable(text); err != nil {
		sondeComplain("the virtual network stays as it is: " + err.Error())
	}
	sondeTell("set", number)
	return true
}

// sondeErrnoName returns the name that an error has in tables.
func sondeErrnoName(e syscall.Errno) string {
	for name, errno := range sondeErrnos {
		if errno == e {
			return name
		}
	}
	return e.Error()
}
