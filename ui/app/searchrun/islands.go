package searchrun

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/campaign/islands"
)

// Islands are the settings of a search that is divided into islands: runs on several copies of the service, which share a
// budget and exchange tests.
type Islands struct {
	Number   int // 0 means that the search is not divided
	Every    int // number of requests of an island between two migrations; 0 means a tenth of its requests
	Migrants int // maximum number of tests that leave an island in one migration
	Topology islands.Topology
	Servers  string // URLs of the NATS servers as given by the user, "" for one in this process
}

// DefaultMigrants is the default number of tests that leave an island in one migration.
const DefaultMigrants = 5

// DefaultTopology is the name of the default topology.
const DefaultTopology = string(islands.Ring)

// SetTopology sets the topology by its name.
func (n *Islands) SetTopology(name string) error {
	if !slices.Contains(islands.Topologies, islands.Topology(name)) {
		return fmt.Errorf("--topology %q: it is ring, full or none", name)
	}
	n.Topology = islands.Topology(name)
	return nil
}

// maxFinalCopies is the maximum number of copies of the service that check and minimise what islands have found.
const maxFinalCopies = 4

// CopyCount returns the number of copies of the service on which this process plays tests at the same time. A search
// with islands has a copy for each island, but at most maxFinalCopies. With a single copy, checking the tests of all
// islands would take too long.
func (s Settings) CopyCount() int {
	if s.Islands.Number > 0 {
		return min(s.Islands.Number, maxFinalCopies)
	}
	return s.Workers
}

// args returns the arguments of sonde search for the islands.
func (n Islands) args() (line []string) {
	if n.Number == 0 {
		return nil
	}
	line = []string{"--islands", strconv.Itoa(n.Number)}
	if n.Every > 0 {
		line = append(line, "--migrate-every", strconv.Itoa(n.Every))
	}
	if n.Migrants != DefaultMigrants {
		line = append(line, "--migrants", strconv.Itoa(n.Migrants))
	}
	if n.Topology != islands.Ring {
		line = append(line, "--topology", string(n.Topology))
	}
	if n.Servers != "" {
		line = append(line, "--nats", n.Servers)
	}
	return line
}

// Explored is what the islands of a search have found: the first part of a run, which another run continues.
type Explored struct {
	Tests   []model.Test
	Faults  []model.Fault
	Answers map[model.OpID]map[int]int
	Covered []model.TargetCovered // in the order of the calls that covered them
	// Declared is the number of targets that the spec declares.
	Declared int
	Last     model.Progress
}

// WriteExplored writes what islands have found into the run's folder, as a run that has ended. It then changes s to
// the settings of a run that resumes this run.
func (s *Settings) WriteExplored(spec *model.Spec, e Explored) (err error) {
	s.Folder, err = s.place()
	if err != nil {
		return err
	}
	w, err := codec.CreateRun(s.Folder, s.Header(spec, nil), s.Force)
	if err != nil {
		return err
	}
	log := []model.Event{model.RunStarted{Targets: e.Declared}}
	for _, c := range e.Covered {
		log = append(log, c)
	}
	for _, f := range e.Faults {
		f.Exchanges = nil // faults.json has them
		log = append(log, model.FaultFound{Fault: f})
	}
	log = append(log, e.Last, model.RunStopped{Summary: model.Summary{
		Calls: e.Last.Call, SetUp: e.Last.SetUp, Budget: s.Limits.Calls, Asked: e.Last.Asked, Elapsed: e.Last.Elapsed,
		Targets: e.Last.Targets, Covered: len(e.Covered), Tests: len(e.Tests), Faults: len(e.Faults),
	}})
	for _, event := range log {
		err = errors.Join(err, w.WriteEvent(model.LogEntry{At: e.Last.Elapsed, Call: e.Last.Call, Event: event}))
	}
	err = errors.Join(err, w.WriteSuite(e.Tests), w.WriteFaults(e.Faults), w.WriteAnswers(e.Answers), w.Close())
	if err != nil {
		return err
	}
	run, err := codec.OpenRun(s.Folder)
	if err != nil {
		return err
	}
	return s.ResumeFrom(s.Folder, run, model.Limits{})
}

// RecordedTests returns the recorded tests with which the search begins.
func (s Settings) RecordedTests() []model.Test { return s.recorded }
