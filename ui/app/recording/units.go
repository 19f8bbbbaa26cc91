package recording

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"sonde/assets/probe/sondeunits"
	"sonde/assets/probe/sondevalue"
	"sonde/runner/instrument/unitdata"
	"sonde/runner/replay/record"
)

// unitReader copies the invocations that the service reports into the recording, with masked secrets. The service writes
// them into a named pipe, so that no secret is on disk. A nil unitReader copies nothing.
type unitReader struct {
	monitor  *record.Monitor
	pipePath string
	pipe     *os.File
	out      *os.File
	done     chan struct{} // closed when the reader has ended
	count    atomic.Int64  // invocations
	err      error         // the first error, after done

	closing  sync.Once
	closeErr error
}

// endLine is the line after which a unitReader ends.
const endLine = "end\n"

// newUnitReader starts to copy invocations into the folder of a recording. build is the folder of the build.
func newUnitReader(m *record.Monitor, build, folder, binary string) (*unitReader, error) {
	manifest, err := os.ReadFile(unitdata.Path(binary))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, unitdata.ManifestFile), manifest, 0o600); err != nil {
		return nil, err
	}
	u := &unitReader{monitor: m, pipePath: filepath.Join(build, "units"), done: make(chan struct{})}
	if err := makePipe(u.pipePath); err != nil {
		return nil, fmt.Errorf("--units: %w", err)
	}
	u.pipe, err = os.OpenFile(u.pipePath, os.O_RDWR, 0) // for writing, too: so it stays open while the service restarts
	if err != nil {
		return nil, err
	}
	u.out, err = os.OpenFile(filepath.Join(folder, unitdata.InvocationsFile), os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		u.pipe.Close()
		return nil, err
	}
	go u.copy()
	return u, nil
}

// copy copies lines until endLine.
func (u *unitReader) copy() {
	defer close(u.done)
	lines := bufio.NewReaderSize(u.pipe, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			u.err = errors.Join(u.err, err)
			return
		}
		if string(line) == endLine {
			return
		}
		if u.err == nil {
			u.err = u.write(line)
		}
	}
}

// write writes a line to the recording. Lines that are no invocations are written only if they begin a process.
func (u *unitReader) write(line []byte) error {
	var p unitdata.Process
	if json.Unmarshal(line, &p) == nil && p.Process != 0 {
		return u.line(p)
	}
	var i sondevalue.Invocation
	if json.Unmarshal(line, &i) != nil || i.Number == 0 {
		return nil // an empty line, or one that a killed process has left
	}
	u.monitor.MaskInvocation(&i)
	u.count.Add(1)
	return u.line(i)
}

func (u *unitReader) line(x any) error {
	data, err := json.Marshal(x)
	if err != nil {
		return err
	}
	_, err = u.out.Write(append(data, '\n'))
	return err
}

// env returns the environment variables that the service needs.
func (u *unitReader) env() []string {
	if u == nil {
		return nil
	}
	return []string{sondeunits.FileEnv + "=" + u.pipePath}
}

// close ends the copying. The service must have ended.
func (u *unitReader) close() error {
	if u == nil {
		return nil
	}
	u.closing.Do(func() {
		_, err := u.pipe.WriteString("\n" + endLine)
		if err == nil {
			<-u.done
		}
		u.closeErr = errors.Join(u.err, err, u.pipe.Close(), u.out.Close())
	})
	return u.closeErr
}
