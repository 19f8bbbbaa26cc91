package search

import (
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

// journal adds the time and the call number to events, emits the events, and saves results during the run, so that a
// run that is killed can be resumed. The sink appends each event to a file at once, and replaces the other files as a
// whole (codec.RunWriter). The scheduler calls save and saveTraffic at intervals and at the end.
type journal struct {
	budget      *budget
	sink        Sink
	recent      model.Journal
	paused      bool // according to the last event
	dirty       bool // save has something to write
	lastSaved   time.Time
	lastTraffic time.Time // when traffic was last written
	sinkErr     error     // the first error of the sink; nothing is written after it
}

// markChanged notes that tests or faults have changed, so that the next save writes them.
func (j *journal) markChanged() { j.dirty = true }

// postponeTraffic lets a full interval pass before traffic is written.
func (j *journal) postponeTraffic() { j.lastTraffic = time.Now() }

// failed reports whether the sink has returned an error. After that nothing is written, and the run ends.
func (j *journal) failed() bool { return j.sinkErr != nil }

// note emits a note with the current call number.
func (j *journal) note(text string) { j.emit(model.Note{Call: j.budget.calls, Text: text}) }

// observeReplies calls the sink's ObserveReply with each answer to the calls of a test.
func (j *journal) observeReplies(results []client.CallResult) {
	for _, r := range results {
		if j.sink.ObserveReply != nil && j.sinkErr == nil && r.Exchange.Reply.Status > 0 {
			j.sinkErr = j.sink.ObserveReply(r.Exchange.Reply)
		}
	}
}

// emit emits an event, and keeps it for the snapshot if it is notable.
func (j *journal) emit(ev model.Event) {
	l := j.stamp(ev)
	if j.sink.Emit != nil && j.sinkErr == nil {
		j.sinkErr = j.sink.Emit(l)
	}
}

// save writes tests, faults and answers if they have changed.
func (j *journal) save(a *archive) {
	if !j.dirty {
		j.lastSaved = time.Now()
		return
	}
	if j.sink.SaveTests != nil && j.sinkErr == nil {
		j.sinkErr = j.sink.SaveTests(a.savedTests())
	}
	if j.sink.SaveFaults != nil && j.sinkErr == nil {
		j.sinkErr = j.sink.SaveFaults(slices.Clone(a.judge.faults.all()))
	}
	if j.sink.SaveAnswers != nil && j.sinkErr == nil {
		j.sinkErr = j.sink.SaveAnswers(a.judge.stats.answerCounts())
	}
	j.dirty, j.lastSaved = false, time.Now()
}

// saveTraffic writes the traffic of the kept tests and the coverage of the source.
func (j *journal) saveTraffic(a *archive) {
	if j.sink.SaveTraffic != nil && j.sinkErr == nil {
		j.sinkErr = j.sink.SaveTraffic(a.traffic())
	}
	j.saveCode(a)
	j.lastTraffic = time.Now()
}

// saveCode writes the coverage of the source and which tests cover it.
func (j *journal) saveCode(a *archive) {
	if a.code.coverage == nil || j.sink.SaveCode == nil || j.sinkErr != nil {
		return
	}
	a.code.readBlind()
	j.sinkErr = j.sink.SaveCode(a.code.coverage.profile(), a.codeCovers())
}

// stamp adds the time and the call number to an event, and keeps the event for the snapshot if it is notable.
func (j *journal) stamp(ev model.Event) model.LogEntry {
	at := j.budget.elapsedBefore
	if !j.budget.start.IsZero() {
		at = j.budget.elapsed()
	}
	l := model.LogEntry{At: at, Call: j.budget.calls, Event: ev}
	if l.Notable() {
		j.recent.Add(l)
	}
	return l
}

// notePause emits the beginning or the end of a pause if paused has changed. A step does not end a pause.
func (j *journal) notePause(paused bool) {
	switch {
	case paused && !j.paused:
		j.emit(model.PauseBegan{Call: j.budget.calls})
	case !paused && j.paused:
		j.emit(model.PauseEnded{Call: j.budget.calls})
	}
	j.paused = paused
}

// noteRestarts emits an event if the service was restarted for a test.
func (j *journal) noteRestarts(p played) {
	if p.restarts > 0 {
		j.emit(model.ServiceRestarted{Call: j.budget.calls, Times: p.restarts})
	}
}
