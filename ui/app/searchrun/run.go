package searchrun

import (
	"slices"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search"
	"sonde/ui/app/service"
)

// Run is a run that is kept on disk while it goes on.
type Run struct {
	*search.Run
	Service    service.Service       // as it was chosen
	Net        *model.VirtualNetwork // around it, nil for the real one
	folder     string
	command    string              // with the same arguments
	replayLine string              // with the same steers, too
	Unprobed   []probedata.Skipped // files of the service that have no probes
	readSource func(model.SourceFile) ([]byte, error)
	over       chan struct{} // closed when all of the run is on disk, and what it needed gone
}

// Wait returns the last state, when nothing of the run is left to do.
func (s *Run) Wait() model.Snapshot {
	last := s.Run.Wait()
	<-s.over
	return last
}

// Folder is where the run is kept.
func (s *Run) Folder() string { return s.folder }

// Command repeats the run from a shell: one that was steered by way of its
// folder.
func (s *Run) Command() string {
	if slices.ContainsFunc(s.Snapshot().Marks, func(m model.AppliedCommand) bool { return m.Asked > 0 || m.Stub != nil }) {
		return s.replayLine
	}
	return s.command
}
