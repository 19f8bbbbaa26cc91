package unitdata

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sonde/assets/probe/sondevalue"
)

// The limits of a recording that is read.
const (
	maxLine        = 16 << 20
	maxInvocations = 1_000_000
)

// Process is the first line of a process.
type Process struct {
	Build   uint64 `json:"build,string"`
	Process int    `json:"process"` // number of the process in the operating system
}

// Recording is what the processes of a service have recorded.
type Recording struct {
	Processes   []Process
	Invocations []sondevalue.Invocation // in the order in which the functions returned
	// Broken is the number of lines that cannot be read. A process that was killed leaves one.
	Broken int
}

// Open reads the units in the folder of a recording.
func Open(folder string) (*Manifest, Recording, error) {
	m, err := ReadManifest(filepath.Join(folder, ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Recording{}, fmt.Errorf("%q has no invocations of functions: record it with sonde record --units", folder)
	}
	if err != nil {
		return nil, Recording{}, err
	}
	r, err := ReadFile(filepath.Join(folder, InvocationsFile), m)
	return m, r, err
}

// ReadFile reads the recording of a build. Errors name the file.
func ReadFile(path string, m *Manifest) (Recording, error) {
	f, err := os.Open(path)
	if err != nil {
		return Recording{}, err
	}
	defer f.Close()
	r, err := Read(f, m)
	if err != nil {
		return r, fmt.Errorf("%q: %w", path, err)
	}
	return r, nil
}

// Read reads the recording of a build. It is an error if a process is of another build. Lines that cannot be read, and
// invocations of functions that the manifest does not have, are counted.
func Read(r io.Reader, m *Manifest) (Recording, error) {
	var all Recording
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := readLine(lines)
		if len(bytes.TrimSpace(line)) > 0 {
			if err := all.add(line, m); err != nil {
				return all, err
			}
		}
		switch {
		case errors.Is(err, errLongLine):
			all.Broken++
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return all, err
		}
	}
}

var errLongLine = errors.New("the line is too long")

// readLine returns the next line. It skips a line that is longer than maxLine, and returns errLongLine.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		long := len(line)+len(part) > maxLine
		if !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if long {
				line = make([]byte, maxLine) // stays too long
			}
		case long:
			return nil, errLongLine
		default:
			return line, err
		}
	}
}

// add adds a line.
func (r *Recording) add(line []byte, m *Manifest) error {
	var p Process
	if err := json.Unmarshal(line, &p); err == nil && p.Process != 0 {
		if p.Build != m.Build {
			return errors.New("it was recorded with another build: record it again")
		}
		r.Processes = append(r.Processes, p)
		return nil
	}
	var i sondevalue.Invocation
	if err := json.Unmarshal(line, &i); err != nil || !m.fits(i) || len(r.Processes) == 0 {
		r.Broken++
		return nil
	}
	if len(r.Invocations) == maxInvocations {
		return fmt.Errorf("it has more than %d invocations", maxInvocations)
	}
	i.Process = len(r.Processes) - 1
	r.Invocations = append(r.Invocations, i)
	return nil
}

// fits reports whether the functions and sites of an invocation exist, and have as many values as they need.
func (m *Manifest) fits(i sondevalue.Invocation) bool {
	if i.Function < 0 || i.Function >= len(m.Functions) {
		return false
	}
	f := m.Functions[i.Function]
	if i.Why == "" && (len(i.Before.Args) != len(f.Params) || len(i.After.Args) != len(f.Params) ||
		!i.Panicked && len(i.Results) != len(f.Results) || (f.Receiver == nil) != (i.Before.Receiver == nil)) {
		return false
	}
	return !slices.ContainsFunc(i.Calls, func(c sondevalue.Call) bool { return m.Site(c.Site) == nil })
}

// Site returns a mockable call by its ID, nil if there is none.
func (m *Manifest) Site(id int) *Site {
	for i := range m.Functions {
		if at := slices.IndexFunc(m.Functions[i].Sites, func(s Site) bool { return s.ID == id }); at >= 0 {
			return &m.Functions[i].Sites[at]
		}
	}
	return nil
}
