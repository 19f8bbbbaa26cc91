package search

import (
	"fmt"
	"strings"
	"time"

	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// result says how a run ended, what to do next, and how to repeat it.
func (m Model) result(width int) []string {
	var rows []string
	if err := m.watch.failure(); err != nil {
		rows = append(rows, m.failed(err, width)...)
	} else {
		rows = append(rows, m.succeeded(width)...)
	}
	rows = append(rows, "")
	rows = append(rows, labelled("kept in", pane.Clean(m.watch.folder), width)...)
	if m.watch.run != nil {
		rows = append(rows, labelled("again", pane.Clean(m.watch.run.Command()), width)...)
	}
	return rows
}

func (m Model) succeeded(width int) []string {
	s := m.watch.snap.Summary
	head := theme.Good.Render(theme.Ok+" Done") + " in " + seconds(s.Elapsed)
	if s.Cancelled {
		head = theme.Warn.Render("Stopped") + " after " + seconds(s.Elapsed)
	}
	text := fmt.Sprintf("%s kept, %s found. %s of the calls were resets.",
		words.Plural(s.Tests, "test"), words.Plural(s.Faults, "fault"), words.Count(s.SetUp))
	rows := append([]string{head}, words.Wrap(text, width)...)
	next := keycap("4") + " pick tests"
	if m.watch.run != nil {
		next += "   " + keycap(keyNew.Help().Key) + fmt.Sprintf(" again, with seed %d", m.watch.settings.Seed+1)
	}
	return append(rows, "", next)
}

func (m Model) failed(err error, width int) []string {
	rows := words.Wrap(theme.Failed+" "+pane.Clean(err.Error()), width)
	for i := range rows {
		rows[i] = theme.Bad.Render(rows[i])
	}
	way := "Is the service up at " + pane.Clean(m.host.URL) + "?"
	if m.watch.snap.Summary.Calls > m.watch.snap.Summary.SetUp && m.watch.snap.Summary.With2xx == 0 {
		way = "The usual reasons: the base path in --url is wrong, credentials are missing, or the service needs data first. The answers tell which."
	}
	if m.watch.run != nil {
		rows = append(rows, "", keycap(keyNew.Help().Key)+" tries again")
	}
	return append(append(rows, ""), words.Wrap(way, width)...)
}

// labelled is a text with a word at the left of its first line.
func labelled(label, text string, width int) []string {
	const column = 9
	rows := words.Wrap(text, width-column)
	for i, r := range rows {
		rows[i] = strings.Repeat(" ", column) + r
		if i == 0 {
			rows[i] = theme.Dim.Render(fmt.Sprintf("%-*s", column, label)) + r
		}
	}
	return rows
}

func keycap(name string) string { return theme.Accent.Render(name) }

func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
