package probe

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"sonde/assets/probe/sondeprobe"
)

// Variable is the environment variable by which a service finds the file that
// its probes share with Sonde.
const Variable = "SONDE_PROBES"

// Memory is the file that a probed service shares with Sonde. What is in it
// outlives the service, however that ends.
type Memory struct {
	path  string
	bytes []byte
	head  *sondeprobe.Head
	slots []uint64
	open  []uint32
	hits  []byte
}

// NewMemory makes the file for a service of a build. It is in memory where the
// system has a place for that.
func NewMemory(m *Manifest) (*Memory, error) {
	f, err := os.CreateTemp(sharedFolder(), "sonde-probes-*")
	if err != nil {
		return nil, fmt.Errorf("the probes' file cannot be made: %w", err)
	}
	defer f.Close()
	mem := &Memory{path: f.Name()}
	// A file with holes would end Sonde and the service where the room for it runs
	// out; zeros that are written say so.
	if _, err = f.Write(make([]byte, size(m))); err == nil {
		mem.bytes, err = mapFile(f, size(m))
	}
	if err != nil {
		os.Remove(mem.path)
		return nil, fmt.Errorf("the probes' file %q of %d bytes cannot be made: %w", mem.path, size(m), err)
	}
	mem.lay(m)
	return mem, nil
}

func size(m *Manifest) int { return sondeprobe.Page + 2*8*m.Preds + 4*m.Preds + m.Hits }

// lay finds the parts of the file and writes its head.
func (m *Memory) lay(of *Manifest) {
	at := unsafe.Pointer(unsafe.SliceData(m.bytes))
	m.head = (*sondeprobe.Head)(at)
	m.slots = unsafe.Slice((*uint64)(unsafe.Add(at, sondeprobe.Page)), 2*of.Preds)
	m.open = unsafe.Slice((*uint32)(unsafe.Add(at, sondeprobe.Page+16*of.Preds)), of.Preds)
	m.hits = m.bytes[sondeprobe.Page+20*of.Preds:][:of.Hits]
	*m.head = sondeprobe.Head{Magic: sondeprobe.Magic, Version: sondeprobe.Version, Build: of.Build, Preds: uint64(of.Preds), Hits: uint64(of.Hits)}
}

// Env is what a service's environment needs.
func (m *Memory) Env() string { return Variable + "=" + m.path }

// Attached is how many processes have shared the file. As long as it is 0 the
// service has no probes, or others, and what is read is about nobody.
func (m *Memory) Attached() int { return int(atomic.LoadUint64(&m.head.Attached)) }

// Close gives the file back. A service that still runs keeps its own view of it.
func (m *Memory) Close() error { return errors.Join(unmap(m.bytes), os.Remove(m.path)) }

// sharedFolder is a folder whose files are in memory, or that of temporary files.
func sharedFolder() string {
	const shared = "/dev/shm"
	if s, err := os.Stat(shared); err == nil && s.IsDir() {
		return shared
	}
	return ""
}
