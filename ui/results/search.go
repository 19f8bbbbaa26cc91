package results

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/words"
)

// maxWarnings is the maximum number of operations without a 2xx that are listed.
const maxWarnings = 5

// WarningLines returns the warnings of a run as lines. It leaves out model.WarnNo2xx, which the result of the command
// reports. It lists at most maxWarnings operations without a 2xx, followed by the number of the other operations
// without a 2xx.
func WarningLines(all []model.Warning) []string {
	var lines []string
	never := 0
	for _, w := range all {
		switch w.Kind {
		case model.WarnNo2xx:
			continue
		case model.WarnNever2xx:
			if never++; never > maxWarnings {
				continue
			}
		}
		lines = append(lines, w.Text)
	}
	if more := never - maxWarnings; more > 0 {
		lines = append(lines, words.Plural(more, "more operation")+" never answered 2xx: --json lists them")
	}
	return lines
}

// SearchProgress describes the progress of a search in one line.
func SearchProgress(now model.Snapshot) string {
	s := now.Summary
	line := fmt.Sprintf("%3.0f%%  %s, %s/s  %d of %d targets  %s", 100*now.Used, words.Plural(s.Calls, "call"), words.Count(int(s.Rate)),
		s.Covered, s.Targets, words.Plural(s.Faults, "fault"))
	return strings.TrimRight(line+"  "+words.Left(now.TimeLeft()), " ")
}

// ForecastText describes what further calls would cover. withSource reports whether the run covers the service's
// source.
func ForecastText(f model.Forecast, withSource bool) string {
	text := fmt.Sprintf("the next %s will likely cover %s", words.Plural(f.Calls, "call"), words.More(f.Low, f.High, "target"))
	if withSource {
		text += ", with those in the source"
	}
	return text
}

// AnsweredOperationsText describes the number of operations in each class.
func AnsweredOperationsText(s model.Summary) string {
	var parts []string
	for class, n := range s.Classes() {
		if n > 0 {
			part := fmt.Sprintf("%d %s", n, model.OpClass(class))
			if model.OpClass(class) == model.ClassBroken && s.Declared5xx > 0 {
				part += fmt.Sprintf(" (%d as declared)", s.Declared5xx)
			}
			parts = append(parts, part)
		}
	}
	return fmt.Sprintf("%d: %s", s.Operations, strings.Join(parts, ", "))
}

// KeptTestsText describes the number of kept tests and the result of replaying them.
func KeptTestsText(s model.Summary) string {
	line := fmt.Sprintf("%d kept", s.Tests)
	if s.Replayed > 0 {
		line += fmt.Sprintf(", %d of them played again", s.Replayed)
	}
	if s.FlakyTests > 0 {
		line += fmt.Sprintf(", %d flaky", s.FlakyTests)
	}
	if s.EarlierState > 0 {
		line += fmt.Sprintf(", %d depend on earlier state and are not exported", s.EarlierState)
	}
	if s.RemovedCalls > 0 {
		line += ", " + words.Plural(s.RemovedCalls, "call") + " spared"
	}
	if s.DroppedChecks > 0 {
		line += ", " + words.Plural(s.DroppedChecks, "assertion") + " dropped that did not hold again"
	}
	return line
}
