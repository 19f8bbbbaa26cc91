package searchrun

import (
	"slices"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
)

// Run is a running search, which writes itself to its folder. Its methods may be called from any goroutine.
type Run struct {
	*search.Run
	Service      service.Service       // the service as the user chose it
	network      *model.VirtualNetwork // the network around the service at the start of the run, nil for the real one
	folder       string
	command      string                  // command line that repeats the run with the same arguments
	replayLine   string                  // command line that also repeats the user's commands
	SkippedFiles []probedata.SkippedFile // source files without probes
	readSource   func(model.SourceFile) ([]byte, error)
	ended        chan struct{} // closed when the run is written and its service has stopped
}

// VirtualNetwork returns the virtual network around the service, with the startup stubs found so far. It returns nil for
// the real network.
func (s *Run) VirtualNetwork() *model.VirtualNetwork {
	return s.network.WithStartupStubs(s.Run.Snapshot().StartupStubs)
}

// Snapshot returns the latest state. The provenance of its tests and faults is the run.
func (s *Run) Snapshot() model.Snapshot { return s.withProvenance(s.Run.Snapshot()) }

// Wait waits until the whole run is written and its service and hosts have stopped. It returns the last
// state.
func (s *Run) Wait() model.Snapshot {
	last := s.Run.Wait()
	<-s.ended
	return s.withProvenance(last)
}

// withProvenance returns a copy of a snapshot whose tests and faults have the run as their provenance. The
// original is shared and does not change.
func (s *Run) withProvenance(last model.Snapshot) model.Snapshot {
	from := model.Provenance{Run: paths.Absolute(s.folder), Virtual: s.network != nil}
	last.Tests, last.Faults = slices.Clone(last.Tests), slices.Clone(last.Faults)
	for i := range last.Tests {
		last.Tests[i].Provenance = from
	}
	for i := range last.Faults {
		last.Faults[i].Run = from.Run
	}
	return last
}

// Folder returns the folder of the run.
func (s *Run) Folder() string { return s.folder }

// Command returns the command that repeats the run. For a run that was changed while it ran, this command
// replays the run's folder.
func (s *Run) Command() string {
	if slices.ContainsFunc(s.Run.Snapshot().Marks, func(m model.AppliedCommand) bool { return m.Asked > 0 || m.Stub != nil }) {
		return s.replayLine
	}
	return s.command
}
