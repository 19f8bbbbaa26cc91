package search

import (
	"fmt"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/search/events"
	"sonde/ui/words"
)

// logged returns the events of the run as rows. The text of a command is the same as in the chart.
func (v runView) logged() []events.Row {
	s := v.run.snap
	before := v.beforeLog()
	var rows []events.Row
	for _, l := range s.Log {
		r := row(l)
		if steered, ok := l.Event.(model.AppliedCommand); ok {
			r.Text = appliedText(before, steered, v.names)
			before = steered.Tuning
		}
		r.At, r.Call = l.At, l.Call
		r.Text = draw.Clean(r.Text)
		rows = append(rows, r)
	}
	return rows
}

// beforeLog returns the tuning that was active before the first event of the log.
func (v runView) beforeLog() model.Tuning {
	marks := v.run.snap.Marks
	older := len(marks)
	for _, l := range v.run.snap.Log {
		if _, ok := l.Event.(model.AppliedCommand); ok {
			older--
		}
	}
	if older > 0 {
		return marks[older-1].Tuning
	}
	return tuningAtStart(v.run.snap, v.run.firstTuning())
}

// row returns the row of an event.
func row(l model.LogEntry) events.Row {
	switch e := l.Event.(type) {
	case model.RunStarted:
		return logRow("run", theme.Running, theme.Accent, "started, with "+words.Plural(e.Targets, "target")+" that the spec declares")
	case model.RunResumed:
		return logRow("run", theme.Running, theme.Accent, "resumed where it ended, after "+words.Plural(e.Asked, "test"))
	case model.PauseBegan:
		return logRow("pause", theme.Paused, theme.Accent, "paused")
	case model.PauseEnded:
		return logRow("pause", theme.Running, theme.Accent, "resumed")
	case model.AppliedCommand:
		return logRow(commandKind(e), "┆", theme.Accent, "")
	case model.StartupStubsFound:
		return logRow("net", theme.Ok, theme.Good, startupText(e))
	case model.ServiceRestarted:
		return logRow("restart", theme.Refused, theme.Warn, "the service died or hung, and was restarted "+times(e.Times))
	case model.TargetCovered:
		return covered(e)
	case model.FaultFound:
		return ofFault("fault", "", e.Fault)
	case model.FaultChecked:
		return ofFault("check", string(e.Fault.Verdict)+": ", e.Fault)
	case model.SuiteReplayed:
		return logRow("run", theme.Ok, theme.Good, keptText(e))
	case model.Note:
		return logRow("error", theme.Refused, theme.Warn, e.Text)
	case model.RunStopped:
		return ended(e.Summary)
	}
	return events.Row{}
}

func logRow(kind, glyph string, style theme.Style, text string) events.Row {
	return events.Row{Kind: kind, Glyph: glyph, Style: style, Text: text}
}

// commandKind returns the word by which the filter finds a command. Each kind of priority has its own word.
func commandKind(s model.AppliedCommand) string {
	switch {
	case s.Priority != nil:
		return string(s.Priority.Kind)
	case s.Try != nil:
		return "try"
	case s.Stub != nil:
		return "stub"
	}
	return "tune"
}

// covered returns the row of a target that was covered for the first time. Most targets are an operation
// with a status. Their rows have the kind "status", other rows have the kind "target".
func covered(e model.TargetCovered) events.Row {
	cut := strings.LastIndexByte(e.Target, ' ')
	status, err := strconv.Atoi(e.Target[cut+1:])
	if cut < 0 || err != nil {
		return logRow("target", theme.Ok, theme.Good, e.Target)
	}
	glyph, style := theme.Class(status)
	row := logRow("status", glyph, style, e.Target)
	row.Op, row.Status = model.OpID(e.Target[:cut]), strconv.Itoa(status)
	return row
}

func ofFault(kind, word string, f model.Fault) events.Row {
	glyph, style := graded(&f)
	row := logRow(kind, glyph, style, fmt.Sprintf("%s%s  %s %s", word, f.Op, f.Label(), f.Text))
	row.Op = f.Op
	if f.Status > 0 {
		row.Status = strconv.Itoa(f.Status)
	}
	return row
}

func keptText(e model.SuiteReplayed) string {
	return fmt.Sprintf("replayed %s of %s: %d flaky, %s dropped, %s spared",
		words.Count(e.Replayed), words.Plural(e.Tests, "kept test"), e.Flaky,
		words.Plural(e.DroppedChecks, "assertion"), words.Plural(e.RemovedCalls, "call"))
}

// ended returns the row of the end of the run.
func ended(s model.Summary) events.Row {
	text := fmt.Sprintf(
		"%s of %s targets, %s, %s", words.Count(s.Covered), words.Count(s.Targets),
		words.Plural(s.Faults, "fault"), words.Plural(s.Tests, "test"),
	)
	switch {
	case s.Trouble != "":
		return logRow("error", theme.Failed, theme.Bad, "failed: "+s.Trouble)
	case s.Cancelled:
		return logRow("run", theme.Untried, theme.Dim, "stopped: "+text)
	}
	return logRow("run", theme.Ok, theme.Good, "done: "+text)
}

func startupText(e model.StartupStubsFound) string {
	return fmt.Sprintf("the service is ready with %s, after %s", words.Plural(len(e.Stubs), "stub"), words.Plural(e.Starts, "start"))
}
