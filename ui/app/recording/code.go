package recording

import (
	"sync"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/replay/record"
)

// CodeSink receives what is known about the service's code. codec.RecordingWriter implements it.
type CodeSink interface {
	WriteCode(statements []int) error
	WriteWarning(text string) error
}

// codeReader reads which code targets the service covers. A nil codeReader reads nothing.
type codeReader struct {
	memory *probedata.Memory

	mu        sync.Mutex
	collector *probedata.Collector // nil after the reader was closed or a reading failed
	sink      CodeSink
}

// TakeCovered sets how the monitor learns which code the service covers: by its probes, if Sonde builds the service.
func (f *Options) TakeCovered(o *record.Options, sink CodeSink) {
	if f.Network.build == nil {
		return
	}
	f.Network.sink = sink
	o.TakeCovered = func() map[uint8]model.TargetSet { return f.Network.code.take() }
}

// readCode prepares to read the probes of the service. m describes the probes of the build. If readCode fails, the
// recording has a warning, and says nothing about code.
func (n *BuildNetwork) readCode(m *probedata.Manifest) {
	if n.sink == nil {
		return
	}
	memory, err := probedata.NewMemory(m)
	if err == nil {
		if err = n.sink.WriteCode(m.StatementCounts()); err != nil {
			_ = memory.Close() // the first error is more useful
		}
	}
	if err != nil {
		_ = n.sink.WriteWarning(codeWarning(err))
		return
	}
	n.code = &codeReader{memory: memory, collector: probedata.NewCollector(m, memory), sink: n.sink}
}

// env returns the environment variables that the service needs.
func (r *codeReader) env() []string {
	if r == nil {
		return nil
	}
	return []string{r.memory.EnvVariable()}
}

// codeWarning returns the warning that the recording does not say which code the service ran. err is the reason.
func codeWarning(err error) string {
	return "the code that the service runs is not recorded, and tests are chosen by shape and trait: " + err.Error()
}

// take returns the code targets that the service has covered since the last call of take. The key is the tag of the
// request that covered them. take returns nil if the covered targets are not known.
func (r *codeReader) take() map[uint8]model.TargetSet {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.collector == nil {
		return nil
	}
	covered, err := r.collector.Take()
	if err != nil {
		r.collector = nil
		_ = r.sink.WriteWarning(codeWarning(err))
		return nil
	}
	return covered
}

// close removes the memory of the probes.
func (r *codeReader) close() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collector = nil
	_ = r.memory.Close() // the file is temporary
}
