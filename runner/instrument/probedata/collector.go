package probedata

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"unsafe"

	"sonde/model"
)

// Collector reads which statements and branches a running service has covered since the last reading, and for which requests.
// The service must be built with probe.Options.ByRequest. Unlike a Reader, a Collector loses nothing that the service writes
// during a reading. It is not safe for concurrent use.
type Collector struct {
	shared *Memory // memory of the service
	copied *Memory // the parts of shared that the current reading has taken
	reader *Reader // reads the scores in copied
	wanted []bool  // by target, whether it is read
	err    error   // the first error of a reading

	sets [256]model.TargetSet // by tag of a request, the targets that the current reading found covered
	tags []uint8              // tags whose sets are not nil
}

// NewCollector returns a collector that reads the memory of a service.
func NewCollector(m *Manifest, mem *Memory) *Collector {
	c := &Collector{shared: mem, copied: &Memory{
		slots: make([]uint64, 2*m.Preds),
		open:  make([]uint32, m.Preds),
		hits:  make([]byte, len(mem.hits)),
	}}
	for _, t := range m.Targets {
		c.wanted = append(c.wanted, t.Kind == Statement || t.Kind.IsBranch())
	}
	c.reader = NewReader(m, c.copied)
	c.reader.SelectTargets(func(i int) bool { return c.wanted[i] })
	return c
}

// StatementCounts returns the number of statements of each target of a manifest: 0 for a target that is not a block of
// statements.
func (m *Manifest) StatementCounts() []int {
	counts := make([]int, len(m.Targets))
	for i, t := range m.Targets {
		if t.Kind == Statement {
			counts[i] = max(t.Statements, 1)
		}
	}
	return counts
}

// Take returns the statements and branches that were covered since the last Take, as indexes of the manifest's targets.
// Each is listed under the tag of the first request that covered it; see sondeprobe.RequestTag. Take returns nil if the
// service has not mapped the shared file. If the file was cut short, Take returns an error, now and at each later call.
func (c *Collector) Take() (covered map[uint8]model.TargetSet, err error) {
	if c.err != nil {
		return nil, c.err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch caught := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }: // reading past the end of the file
			c.err = fmt.Errorf("the file that the service's probes share with Sonde was cut short")
			covered, err = nil, c.err
		default:
			panic(caught)
		}
	}()
	if c.shared.Attached() == 0 {
		return nil, nil
	}
	covered = map[uint8]model.TargetSet{}
	slots, hits := takeWords(c.copied.slots, c.shared.slots), takeBytes(c.copied.hits, c.shared.hits)
	update(c.shared.open, c.copied.open)
	if !slots && !hits {
		return covered, nil
	}
	for _, s := range c.reader.stretches {
		if !c.reader.touched(s) {
			continue
		}
		for i := s.from; i < s.upTo; i++ {
			if c.wanted[i] {
				c.addCovered(i)
			}
		}
	}
	for _, tag := range c.tags {
		covered[tag], c.sets[tag] = c.sets[tag], nil
	}
	c.tags = c.tags[:0]
	clear(c.copied.slots)
	clear(c.copied.hits)
	return covered, nil
}

// addCovered adds a target to the sets of the requests that covered it, if any.
func (c *Collector) addCovered(target int) {
	p := &c.reader.plans[target]
	if p.hit != 0 {
		c.add(c.copied.hits[p.hit], target)
	}
	for _, t := range c.reader.terms[p.from:p.upTo] {
		if t.base+t.scale == 1 { // the outcome covers the target
			c.add(uint8(c.copied.slots[t.slot]), target)
		}
	}
}

// add adds a target to the set of a tag, unless the tag is 0.
func (c *Collector) add(tag uint8, target int) {
	if tag == 0 {
		return
	}
	if c.sets[tag] == nil {
		c.tags = append(c.tags, tag)
	}
	c.sets[tag].Add(target)
}

// takeWords copies the non-zero words of the second slice into the first, and sets them to 0 in the second. The service
// may write to the second slice at the same time. takeWords returns false if all words of the second slice are 0.
func takeWords(to, from []uint64) (taken bool) {
	const block = 64 // number of words; Go compares a whole array quickly
	for ; len(from) > 0; to, from = to[min(block, len(to)):], from[min(block, len(from)):] {
		if len(from) >= block && *(*[block]uint64)(from) == [block]uint64{} {
			continue
		}
		for i := range from[:min(block, len(from))] {
			if atomic.LoadUint64(&from[i]) != 0 {
				to[i] = atomic.SwapUint64(&from[i], 0)
				taken = true
			}
		}
	}
	return taken
}

// takeBytes is like takeWords, for bytes. It moves four bytes at a time, because there is no atomic swap of single
// bytes. The slices are aligned for this; the last four bytes may extend beyond the second slice, but not beyond its
// page.
func takeBytes(to, from []byte) (taken bool) {
	const word, block = 4, 128 // in bytes
	words := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(from))), (len(from)+word-1)/word)
	for i := 0; i < len(words); i++ {
		if at := word * i; at%block == 0 && len(from)-at >= block && *(*[block]byte)(from[at:]) == [block]byte{} {
			i += block/word - 1
			continue
		}
		if atomic.LoadUint32(&words[i]) == 0 {
			continue
		}
		v := atomic.SwapUint32(&words[i], 0)
		bytes := (*[word]byte)(unsafe.Pointer(&v))
		copy(to[word*i:], bytes[:])
		taken = true
	}
	return taken
}
