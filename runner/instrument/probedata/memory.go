package probedata

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"sonde/assets/probe/sondeprobe"
)

// MemoryVariable is the environment variable with the path of the file that the probes of a
// service share with Sonde.
const MemoryVariable = "SONDE_PROBES"

// Memory is the file that a probed service shares with Sonde. Its content remains
// when the service ends, in whatever way.
type Memory struct {
	path  string
	bytes []byte
	head  *sondeprobe.Head
	slots []uint64
	pairs []sondeprobe.Pair
	used  *uint32  // number of pairs in use
	open  []uint32 // by predicate, whether the service watches it; see watchlist
	hits  []byte
}

// NewMemory creates the file for a service that was built with a manifest. The file is in
// /dev/shm, if that folder exists and has room, or else in the folder of temporary files.
func NewMemory(m *Manifest) (*Memory, error) { return newMemory(m, folders()) }

// newMemory creates the file in the first of the folders in which that is possible.
func newMemory(m *Manifest, folders []string) (*Memory, error) {
	var first error // the error of the preferred folder
	for _, dir := range folders {
		mem, err := createMemory(dir, fileSize(m))
		if err == nil {
			mem.layOut(m)
			return mem, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, fmt.Errorf("cannot create the probes' file of %d bytes: %w", fileSize(m), first)
}

func createMemory(dir string, size int) (*Memory, error) {
	f, err := os.CreateTemp(dir, "sonde-probes-*")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mem := &Memory{path: f.Name()}
	// A sparse file would kill Sonde and the service when its folder is full. Writing
	// zeros returns an error instead.
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

// fileSize returns the size of the file in bytes: a page for the head, and as many pages as the
// probes' memory has in the service.
func fileSize(m *Manifest) int {
	page := os.Getpagesize()
	all := page + m.shift() + 20*m.Preds + sondeprobe.SizeOfPairs + m.Hits
	return (all + page - 1) / page * page
}

// shift returns the offset at which the probes' memory begins in its first page.
func (m *Manifest) shift() int { return int(m.Address % uint64(os.Getpagesize())) }

// layOut sets the slices to the parts of the file and writes the head.
func (m *Memory) layOut(of *Manifest) {
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

// EnvVariable returns the variable that the service's environment needs, as NAME=VALUE.
func (m *Memory) EnvVariable() string { return MemoryVariable + "=" + m.path }

// Attached returns how many processes have mapped the file. While it is 0, scores have no meaning: the service
// has not started, has no probes, or has the probes of another build.
func (m *Memory) Attached() int { return int(atomic.LoadUint64(&m.head.Attached)) }

// Close removes the file. A service that still runs can still write to its own mapping.
func (m *Memory) Close() error { return errors.Join(unmap(m.bytes), os.Remove(m.path)) }

// folders returns the folders for the file, the preferred one first: the folder whose files are
// in memory, if it exists, and the folder of temporary files.
func folders() []string {
	if shared := MemoryFolder(); shared != "" {
		return []string{shared, os.TempDir()}
	}
	return []string{os.TempDir()}
}

// MemoryFolder returns the folder whose files are in memory, or "" if there is none.
func MemoryFolder() string {
	const shared = "/dev/shm"
	if s, err := os.Stat(shared); err == nil && s.IsDir() {
		return shared
	}
	return ""
}

// sharedFolder creates a folder that Sonde shares with a service, in memory if possible. The error is that of the preferred
// place.
func sharedFolder(pattern string) (dir string, err error) {
	var first error
	for _, parent := range folders() {
		dir, err = os.MkdirTemp(parent, pattern)
		if err == nil {
			return dir, nil
		}
		first = cmp.Or(first, err)
	}
	return "", first
}

// pair returns a copy of the pair with index i. whole is false if the service wrote to the pair at the same time.
func (m *Memory) pair(i int) (copied sondeprobe.Pair, whole bool) {
	const words = unsafe.Sizeof(copied) / 8
	from := (*[words]uint64)(unsafe.Pointer(&m.pairs[i]))
	to := (*[words]uint64)(unsafe.Pointer(&copied))
	before := atomic.LoadUint32(&m.pairs[i].Sequence)
	for w := range from {
		to[w] = atomic.LoadUint64(&from[w])
	}
	return copied, before&1 == 0 && atomic.LoadUint32(&m.pairs[i].Sequence) == before
}

// forgetPairs empties the pairs of operands. It unlocks pairs whose writer did not finish.
func (m *Memory) forgetPairs() {
	for i := range min(atomic.LoadUint32(m.used), sondeprobe.Pairs) {
		pair := &m.pairs[i]
		pair.Kind = 0
		if s := atomic.LoadUint32(&pair.Sequence); s&1 != 0 {
			atomic.CompareAndSwapUint32(&pair.Sequence, s, s+1)
		}
	}
	atomic.StoreUint32(m.used, 0)
}
