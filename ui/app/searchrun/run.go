package searchrun

import (
	"slices"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
)

// Run is a run that is kept on disk while it goes on.
type Run struct {
	*search.Run
	Service        service.Service       // as it was chosen
	VirtualNetwork *model.VirtualNetwork // around it, nil for the real one
	folder         string
	command        string                  // with the same arguments
	replayLine     string                  // with the same steers, too
	SkippedFiles   []probedata.SkippedFile // files of the service that have no probes
	readSource     func(model.SourceFile) ([]byte, error)
	over           chan struct{} // closed when all of the run is on disk, and what it needed gone
}

// Snapshot returns the newest state. Its tests and faults say which run they are of.
func (s *Run) Snapshot() model.Snapshot { return s.withProvenance(s.Run.Snapshot()) }

// Wait returns the last state, once all of the run is on disk and what it needed is gone.
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

// Folder is where the run is kept.
func (s *Run) Folder() string { return s.folder }

// Command repeats the run from a shell: one that was steered by way of its
// folder.
func (s *Run) Command() string {
	if slices.ContainsFunc(s.Run.Snapshot().Marks, func(m model.AppliedCommand) bool { return m.Asked > 0 || m.Stub != nil }) {
		return s.replayLine
	}
	return s.command
}
