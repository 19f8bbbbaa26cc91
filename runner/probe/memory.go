package probe

import (
	"cmp"
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
	pairs []sondeprobe.Pair
	used  *uint32 // of the pairs
	open  []uint32
	hits  []byte
}

// NewMemory makes the file for a service of a build. It is in memory where the
// system has a place for that, and room there.
func NewMemory(m *Manifest) (*Memory, error) { return newMemory(m, folders()) }

// newMemory makes the file in the first of some folders in which it can be made.
func newMemory(m *Manifest, folders []string) (*Memory, error) {
	var all error
	for _, dir := range folders {
		mem, err := makeMemory(dir, fileSize(m))
		if err == nil {
			mem.lay(m)
			return mem, nil
		}
		all = cmp.Or(all, err) // why the best place is none
	}
	return nil, fmt.Errorf("the probes' file of %d bytes cannot be made: %w", fileSize(m), all)
}

func makeMemory(dir string, size int) (*Memory, error) {
	f, err := os.CreateTemp(dir, "sonde-probes-*")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mem := &Memory{path: f.Name()}
	// A file with holes would end Sonde and the service where the room for it runs
	// out; zeros that are written say so.
	_, err = f.Write(make([]byte, size))
	if err == nil {
		mem.bytes, err = mapFile(f, size)
	}
	if err != nil {
		os.Remove(mem.path)
		return nil, err
	}
	return mem, nil
}

// fileSize is the length of the probes' file: a page for the head, and then as
// many as there are in the service under what it replaces.
func fileSize(m *Manifest) int {
	page := os.Getpagesize()
	all := page + m.shift() + 20*m.Preds + sondeprobe.SizeOfPairs + m.Hits
	return (all + page - 1) / page * page
}

// shift is how far behind the beginning of a page the probes' memory begins.
func (m *Manifest) shift() int { return int(m.Address % uint64(os.Getpagesize())) }

// lay finds the parts of the file and writes its head.
func (m *Memory) lay(of *Manifest) {
	at := os.Getpagesize() + of.shift()
	m.head = (*sondeprobe.Head)(unsafe.Pointer(unsafe.SliceData(m.bytes)))
	m.slots = unsafe.Slice((*uint64)(unsafe.Pointer(&m.bytes[at])), 2*of.Preds)
	at += 16 * of.Preds
	m.pairs = unsafe.Slice((*sondeprobe.Pair)(unsafe.Pointer(&m.bytes[at])), sondeprobe.Pairs)
	at += sondeprobe.SizeOfPairs
	m.used = (*uint32)(unsafe.Pointer(&m.bytes[at-8]))
	m.open = unsafe.Slice((*uint32)(unsafe.Pointer(&m.bytes[at])), of.Preds)
	m.hits = m.bytes[at+4*of.Preds:][:of.Hits]
	*m.head = sondeprobe.Head{
		Magic: sondeprobe.Magic, Version: sondeprobe.Version, Build: of.Build,
		Preds: uint64(of.Preds), Hits: uint64(of.Hits), Shift: uint64(of.shift()),
	}
}

// Env is what a service's environment needs.
func (m *Memory) Env() string { return Variable + "=" + m.path }

// Attached is how many processes have shared the file. As long as it is 0 the
// service has no probes, or others, and what is read is about nobody.
func (m *Memory) Attached() int { return int(atomic.LoadUint64(&m.head.Attached)) }

// Close gives the file back. A service that still runs keeps its own view of it.
func (m *Memory) Close() error { return errors.Join(unmap(m.bytes), os.Remove(m.path)) }

// folders are where the file may be: first the one whose files are in memory, then
// that of temporary files.
func folders() []string {
	const shared = "/dev/shm"
	if s, err := os.Stat(shared); err == nil && s.IsDir() {
		return []string{shared, os.TempDir()}
	}
	return []string{os.TempDir()}
}
