package searchrun

import (
	"slices"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
)

// Run is a running search that is written to its folder as it runs. Its methods may be called from any
// goroutine.
type Run struct {
	*search.Run
	Service        service.Service       // as it was chosen
	VirtualNetwork *model.VirtualNetwork // around the service, nil for the real one
	folder         string
	command        string                  // that repeats it with the same arguments
	replayLine     string                  // that repeats it with the same commands, too
	SkippedFiles   []probedata.SkippedFile // source files without probes
	readSource     func(model.SourceFile) ([]byte, error)
	over           chan struct{} // closed when the run is on disk and its service is stopped
}

// Snapshot returns the newest state. Its tests and faults say which run they are of.
func (s *Run) Snapshot() model.Snapshot { return s.withProvenance(s.Run.Snapshot()) }

// Wait waits until the whole run is on disk and its service and hosts are stopped. It returns the last state.
func (s *Run) Wait() model.Snapshot {
	last := s.Run.Wait()
	<-s.over
	return s.withProvenance(last)
}

// withProvenance returns a snapshot whose tests and faults say which run they are of. The snapshot
// of the search, which others read, stays as it is.
func (s *Run) withProvenance(last model.Snapshot) model.Snapshot {
	from := model.Provenance{Run: paths.Absolute(s.folder), Virtual: s.VirtualNetwork != nil}
	last.Tests, last.Faults = slices.Clone(last.Tests), slices.Clone(last.Faults)
	for i := range last.Tests {
		last.Tests[i].Provenance = from
	}
	for i := range last.Faults {
		last.Faults[i].Run = from.Run
	}
	return last
}

// Folder returns where the run is kept.
func (s *Run) Folder() string { return s.folder }

// Command returns the command line that repeats the run. A run that was changed while it ran is
// repeated from its folder.
func (s *Run) Command() string {
	if slices.ContainsFunc(s.Run.Snapshot().Marks, func(m model.AppliedCommand) bool { return m.Asked > 0 || m.Stub != nil }) {
		return s.replayLine
	}
	return s.command
}
