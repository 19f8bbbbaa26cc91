package search

import (
	"fmt"
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// result describes how a run ended, what to do next, and how to repeat the run, in lines of at most width
// cells.
func (v runView) result(width int) []string {
	var rows []string
	if err := v.run.failure(); err != nil {
		rows = append(rows, v.failed(err, width)...)
	} else {
		rows = append(rows, v.succeeded(width)...)
	}
	rows = append(rows, "")
	if past := v.run.past; past != nil && !past.Started.IsZero() {
		rows = append(rows, labelled("begun", past.Started.Local().Format("2006-01-02 15:04"), width)...)
	}
	rows = append(rows, labelled("kept in", draw.Clean(v.run.folder), width)...)
	if v.run.handle != nil {
		rows = append(rows, labelled("again", draw.Clean(v.run.handle.Command()), width)...)
	}
	if problems := v.problemSummary(width); len(problems) > 0 {
		rows = append(append(rows, ""), problems...)
	}
	return rows
}

func (v runView) succeeded(width int) []string {
	s := v.run.snap.Summary
	head := theme.Good.Render(theme.Ok+" Done") + " in " + seconds(s.Elapsed)
	switch past := v.run.past; {
	case past != nil && !past.Finished:
		head = theme.Warn.Render("No end") + " after " + seconds(s.Elapsed)
	case s.Cancelled:
		head = theme.Warn.Render("Stopped") + " after " + seconds(s.Elapsed)
	}
	text := fmt.Sprintf("%s kept, %s found.", words.Plural(s.Tests, "test"), words.Plural(s.Faults, "fault"))
	if tally := model.TallyFaults(v.run.snap.Faults); tally.Uncounted() > 0 {
		text += fmt.Sprintf(" Not counted: %s flaky, %s.", words.Count(tally.Flaky), words.Plural(tally.Notes, "note"))
	}
	if s.SetUp > 0 {
		text += fmt.Sprintf(" %s set the service up.", words.Plural(s.SetUp, "call"))
	}
	if s.NoReset {
		text += " No reset is configured, so tests ran on the state that earlier tests left."
	}
	if s.EarlierState > 0 {
		text += fmt.Sprintf(" Exports leave out %s: dependent on earlier state, or not replayed.", words.Plural(s.EarlierState, "test"))
	}
	if past := v.run.past; past != nil && !past.Finished {
		text = "It was killed, or is running in another program. " + text
	}
	rows := append([]string{head}, words.Wrap(text+reached(s.Code)+outlook(s), width)...)
	next := keycap("4") + " pick tests"
	if v.resumable() {
		next += "   " + widget.KeyAndHelp(keyResume)
	}
	if v.run.handle != nil {
		next += "   " + keycap(widget.KeyName(keyNew)) + fmt.Sprintf(" again, with seed %d", v.run.settings.Seed+1)
	}
	return append(rows, "", next)
}

// outlook returns a text with the forecast of a run, "" if there is none.
func outlook(s model.Summary) string {
	f := s.Forecast
	if f == nil {
		return ""
	}
	return fmt.Sprintf(" The next %s: likely %s.", words.Plural(f.Calls, "call"), words.More(f.Low, f.High, "target"))
}

// reached returns a text with the coverage of the service's source, "" if it is unknown.
func reached(c *model.Coverage) string {
	if c == nil {
		return ""
	}
	statements, branches := c.Totals()
	return fmt.Sprintf(
		" Of the source %.1f%% of the statements and %.1f%% of the branches were reached.", 100*statements.Fraction(),
		100*branches.Fraction(),
	)
}

func (v runView) failed(err error, width int) []string {
	rows := words.Wrap(theme.Failed+" "+draw.Clean(err.Error()), width)
	for i := range rows {
		rows[i] = theme.Bad.Render(rows[i])
	}
	if v.run.handle != nil {
		rows = append(rows, "", keycap(widget.KeyName(keyNew))+" tries again")
	}
	if len(v.run.snap.Summary.Warnings) > 0 { // the warnings are more precise than advice
		return rows
	}
	return append(append(rows, ""), words.Wrap(v.advice(), width)...)
}

// advice returns the likely reason for a failed run, guessed from the answers of the service.
func (v runView) advice() string {
	const nearlyAll = 0.9
	switch snap := v.run.snap; {
	case snap.Summary.With2xx > 0 || len(snap.Grid) == 0:
		if v.host.IsStarted() {
			return "Did the service start? Its output is in the folder of the run."
		}
		return "Is the service up at " + draw.Clean(v.host.URL) + "?"
	case share(snap.Grid, 401, 403) >= nearlyAll:
		return "Nearly all answers are 401 or 403: the service wants credentials."
	case share(snap.Grid, 404) >= nearlyAll:
		return "Nearly all answers are 404: the base path in --url may be wrong."
	}
	return "The usual reasons: the base path in --url is wrong, credentials are missing, or the service needs data first. " +
		"The answers show which one."
}

// share returns the part of all answers that have one of the statuses, 0 to 1.
func share(grid map[model.OpID]map[int]int, statuses ...int) float64 {
	all, some := 0, 0
	for _, counts := range grid {
		for status, n := range counts {
			all += n
			if slices.Contains(statuses, status) {
				some += n
			}
		}
	}
	return float64(some) / float64(max(1, all))
}

func keycap(name string) string { return theme.Accent.Render(name) }

func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
