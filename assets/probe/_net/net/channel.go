//go:build unix

package net

import (
	"internal/poll"
	"sync"
	"syscall"
)

// sondeOutput is the channel to Sonde: a file descriptor that the service inherited. It is -1 if there
// is no channel.
var sondeOutput = struct {
	sync.Mutex
	fd       int
	deferred []byte // lines of sondeReportLater
}{fd: -1}

// sondeOpenChannel opens the channel to Sonde and returns the input from which the commands of Sonde are read. It also
// sends the event "hello", and lets package poll send events. It returns nil if there is no channel. Child processes
// of the service do not inherit the channel.
func sondeOpenChannel() *sondeInput {
	number, _ := syscall.Getenv(sondeChannelEnv)
	fd := sondeInt(number)
	if fd < 0 {
		return nil
	}
	_ = syscall.Unsetenv(sondeChannelEnv)
	if err := syscall.SetNonblock(fd, false); err != nil {
		sondePrintError("the virtual network has no channel: " + sondeChannelEnv + "=" + number + ": " + err.Error())
		return nil
	}
	syscall.CloseOnExec(fd)
	sondeOutput.fd = fd
	report := sondeReport
	poll.SondeReport.Store(&report)
	reportUse := sondeReportedUses.report
	poll.SondeReportUse.Store(&reportUse)
	sondeReport("hello", "1", sondeFormatUint(uint64(syscall.Getpid())))
	return &sondeInput{fd: fd}
}

func sondeHasChannel() bool {
	sondeOutput.Lock()
	defer sondeOutput.Unlock()
	return sondeOutput.fd >= 0
}

// sondeReport sends an event to Sonde. The fields of the event become one line.
func sondeReport(fields ...string) { sondeSend(sondeFormatLine(fields)) }

// sondeMaxDeferred is the size of sondeOutput.deferred, in bytes, at which the deferred lines are sent at once.
const sondeMaxDeferred = 4096

// sondeReportLater reports an event without waking Sonde for it: the event is sent together with the next event of
// sondeReport or sondeSend. It is also sent when Sonde sends a sync command, or when there are sondeMaxDeferred bytes
// of such events.
func sondeReportLater(fields ...string) {
	line := sondeFormatLine(fields)
	sondeOutput.Lock()
	defer sondeOutput.Unlock()
	if sondeOutput.fd >= 0 {
		sondeOutput.deferred = append(sondeOutput.deferred, line...)
	}
	if len(sondeOutput.deferred) >= sondeMaxDeferred {
		sondeFlush(nil)
	}
}

func sondeFormatLine(fields []string) []byte {
	line := make([]byte, 0, 128)
	for i, f := range fields {
		if i > 0 {
			line = append(line, ' ')
		}
		line = sondeEscape(line, f)
	}
	return append(line, '\n')
}

// sondeSend sends the lines of sondeReportLater, and then the given line.
func sondeSend(line []byte) {
	sondeOutput.Lock()
	defer sondeOutput.Unlock()
	sondeFlush(line)
}

// sondeFlush sends the lines of sondeReportLater, and then the given line. The caller must hold the
// mutex.
func sondeFlush(line []byte) {
	if len(sondeOutput.deferred) > 0 {
		line = append(sondeOutput.deferred, line...)
		sondeOutput.deferred = line[:0]
	}
	for sondeOutput.fd >= 0 && len(line) > 0 {
		n, err := syscall.Write(sondeOutput.fd, line)
		switch {
		case err == syscall.EINTR:
		case err != nil: // Sonde has closed the channel; sondeExecuteCommands closes fd
			sondeOutput.fd = -1
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

// fill reads more data into buf. It returns false at the end of the data.
func (in *sondeInput) fill() bool {
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
		if !in.fill() {
			return "", false
		}
	}
}

func (in *sondeInput) bytes(n int) (string, bool) {
	for len(in.buf) < n {
		if !in.fill() {
			return "", false
		}
	}
	text := string(in.buf[:n])
	in.buf = in.buf[n:]
	return text, true
}

// sondeExecuteCommands executes the commands of Sonde until Sonde closes the channel.
func sondeExecuteCommands(in *sondeInput) {
	for {
		line, ok := in.line()
		if !ok || !in.execute(sondeFields(line)) {
			break
		}
	}
	sondeOutput.Lock()
	defer sondeOutput.Unlock()
	sondeOutput.fd = -1
	_ = syscall.Close(in.fd)
	sondePendingDials.closeAll()
}

// execute executes a command. It returns false if the channel has ended.
func (in *sondeInput) execute(f []string) bool {
	switch {
	case len(f) == 3 && f[0] == "table":
		return in.setTable(f[1], sondeInt(f[2]))
	case len(f) == 2 && f[0] == "sync":
		sondeReportedUses.startRound()
		poll.SondeRound.Add(1)
		sondeReport("synced", f[1])
	case len(f) == 4 && f[0] == "door":
		sondePendingDials.deliver(uint64(sondeInt(f[1])), f[2], f[3])
	case len(f) == 3 && f[0] == "starve":
		errno, known := sondeErrnos[f[2]]
		if w := sondeWatchOf(uint64(sondeInt(f[1]))); w != nil && known {
			w.EndWait(errno)
		}
	default:
		sondePrintError("the virtual network has no such command")
	}
	return true
}

func (in *sondeInput) setTable(number string, n int) bool {
	text, ok := in.bytes(max(n, 0))
	if !ok {
		return false
	}
	sondeReportedUses.startRound()
	if err := sondeSetTable(text); err != nil {
		sondePrintError("the virtual network was not changed: " + err.Error())
	}
	sondeReport("set", number)
	return true
}

// sondeErrnoName returns the name of an error in tables, such as "ECONNREFUSED". For an error that tables cannot have,
// it returns the text of the error.
func sondeErrnoName(e syscall.Errno) string {
	for name, errno := range sondeErrnos {
		if errno == e {
			return name
		}
	}
	return e.Error()
}
