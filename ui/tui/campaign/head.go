package campaign

import (
	"fmt"
	"strings"
	"time"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// viewHead draws the head of a campaign: its state in a few lines.
func (s *Screen) viewHead(l layout) string {
	width := l.head.W - 1
	if l.framed {
		width -= 3
	}
	var rows []string
	for _, line := range s.shown.headLines(width) {
		rows = append(rows, " "+line.Render(width, false))
	}
	body := strings.Join(rows, "\n")
	if !l.framed {
		return draw.FitLines(body, l.head.W, l.head.H)
	}
	return draw.Frame{Title: draw.CutMiddle(draw.Clean(s.shown.id), 66), Width: l.head.W, Height: l.head.H}.Render(body)
}

// headLines returns the lines of the head: the state, the units, the pace and the workers, and a problem.
func (s shown) headLines(width int) []draw.Line {
	c, known := s.campaign()
	if !known {
		text := "Waiting for campaign " + draw.Clean(s.id) + " …"
		return []draw.Line{draw.TextLine(text, theme.Plain), nil, nil, s.problemLine(c)}
	}
	return []draw.Line{s.stateLine(c), s.unitsLine(c, width), s.paceLine(c), s.problemLine(c)}
}

// stateLine returns the kind of the campaign and its state, such as running, ended or cancelled.
func (s shown) stateLine(c usecase.Campaign) draw.Line {
	line := draw.TextLine(draw.Clean(c.Kind)+"  ", theme.Strong)
	text, style := stateText(c)
	switch {
	case c.Cancelled:
		text += ": its results are removed from the servers"
	case c.Ended:
		text += ": " + words.Plural(c.Done, "unit") + " done, " + words.Count(c.Failed) + " failed"
	case c.Done+c.Failed >= c.Units && c.Life == usecase.Alive:
		text = theme.Running + " all units are finished, " + draw.Clean(c.Coordinator) + " writes the results"
	case c.Life == usecase.Vanished:
		text += " (" + draw.Clean(c.Coordinator) + "): its command resumes with --campaign " + draw.Clean(c.ID)
	}
	return append(line, draw.Span{Text: text, Style: style})
}

// unitsLine draws the finished units as a bar and as numbers. If all units report their calls, the bar shows the
// share of the calls that were sent.
func (s shown) unitsLine(c usecase.Campaign, width int) draw.Line {
	finished := c.Done + c.Failed
	text := words.Count(finished) + " of " + words.Plural(c.Units, "unit")
	failed := ""
	if c.Failed > 0 {
		failed = ", " + words.Count(c.Failed) + " failed"
	}
	rest := ""
	if c.InProgress() {
		rest = ", " + words.Count(s.inProgress()) + " in progress"
	}
	share := 0.0
	if calls, of := s.calls(c); of > 0 {
		share = float64(calls) / float64(of)
		text += ", " + words.Count(calls) + " of " + words.Plural(of, "call")
	} else if c.Units > 0 {
		share = float64(finished) / float64(c.Units)
	}
	percent := fmt.Sprintf("%3.0f%% ", 100*min(share, 1))
	bar := min(60, width-len(percent)-len(text)-len(failed)-len(rest)-2)
	line := draw.TextLine(percent, theme.Strong)
	if bar >= 8 {
		line = append(line, draw.BarSpans(share, bar)...)
		line = append(line, draw.Span{Text: "  ", Style: theme.Plain})
	}
	return append(line,
		draw.Span{Text: text, Style: theme.Plain}, draw.Span{Text: failed, Style: theme.Bad}, draw.Span{Text: rest, Style: theme.Plain})
}

// calls returns how many calls the units of a campaign have sent, and how many they may send. If the campaign is not
// in progress, or if a unit does not report its calls, calls returns 0 and 0.
func (s shown) calls(c usecase.Campaign) (sent, of int) {
	if !c.InProgress() || len(s.view.Progress) != c.Units {
		return 0, 0
	}
	for _, u := range s.view.Progress {
		if u.Of == 0 {
			return 0, 0
		}
		sent, of = sent+u.Calls, of+u.Of
	}
	return sent, of
}

// paceLine returns how fast the campaign is, and the numbers of its workers: those that are alive, those that
// vanished, and those of another version. A worker that vanished before the screen was opened counts only if it was
// doing a unit of the campaign.
func (s shown) paceLine(c usecase.Campaign) draw.Line {
	var line draw.Line
	if _, of := s.calls(c); c.InProgress() && (of == 0 || c.Rate > 0) { // if the rate is unknown, the calls show the progress instead
		line = draw.TextLine(paceText(c)+" · ", theme.Plain)
	}
	alive, vanished, others := 0, 0, 0
	for _, w := range s.view.Workers {
		switch {
		case w.Life == usecase.Vanished:
			if mine, _ := s.unitsOf(w); w.Silent > 0 || len(mine) > 0 {
				vanished++
			}
		case w.Life != usecase.Alive:
		case w.Version != c.Version:
			others++
		default:
			alive++
		}
	}
	line = append(line, draw.Span{Text: words.Plural(alive, "worker"), Style: theme.Plain})
	if vanished > 0 {
		line = append(line, draw.Span{Text: ", " + theme.Failed + " " + words.Count(vanished) + " vanished", Style: theme.Bad})
	}
	if others > 0 {
		line = append(line, draw.Span{Text: ", " + theme.Corrected + " " + words.Count(others) + " of another version", Style: theme.Warn})
	}
	return line
}

// paceText returns the rate of finished units, and about how much time is left.
func paceText(c usecase.Campaign) string {
	left := c.Units - c.Done - c.Failed
	switch {
	case left <= 0:
		return "no unit left"
	case c.Rate <= 0:
		return "pace not known yet"
	}
	seconds := float64(left) / c.Rate
	text := rateText(c.Rate) + ", "
	if seconds > (1000 * time.Hour).Seconds() {
		return text + "more than 1000h left"
	}
	remaining := time.Duration(seconds * float64(time.Second))
	if remaining < time.Minute {
		return text + fmt.Sprintf("about %s left", max(time.Second, remaining.Round(time.Second)))
	}
	return text + words.Left(remaining)
}

// rateText formats a rate, which is in units a second. It formats a rate below 1 in units a minute, and an unknown
// rate, which is 0, as a sign.
func rateText(rate float64) string {
	switch {
	case !(rate > 0) || rate > 1e9:
		return theme.Untried
	case rate < 1:
		return fmt.Sprintf("%.1f units/min", 60*rate)
	case rate < 100:
		return fmt.Sprintf("%.1f units/s", rate)
	}
	return words.Count(int(rate)) + " units/s"
}

// problemLine returns a line about the first of these problems, nil if there is none:
//   - The servers do not answer. If the campaign is not in progress, the line is dim.
//   - The campaign is in progress, but no worker is doing a unit. The line says why.
func (s shown) problemLine(c usecase.Campaign) draw.Line {
	switch {
	case s.view.Problem != "" && c.InProgress():
		return draw.TextLine(theme.Failed+" "+s.problem(), theme.Bad)
	case s.view.Problem != "":
		return draw.TextLine(s.problem(), theme.Dim)
	case c.InProgress() && c.Life == usecase.Alive && s.inProgress() == 0 && c.Done+c.Failed < c.Units:
		return draw.TextLine(s.whyIdle(c), theme.Warn)
	}
	return nil
}
