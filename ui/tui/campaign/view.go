package campaign

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// View draws the list of campaigns, or a campaign.
func (s *Screen) View(width, height int) string {
	if width != s.width || height != s.height {
		s.width, s.height = width, height
		s.fit()
	}
	var picture string
	switch {
	case s.undecided:
		picture = draw.FitLines("\n  Looking for campaigns …", width, height)
	case s.shown.id == "":
		picture = s.viewList(width, height)
	default:
		picture = s.viewCampaign()
	}
	return s.question.Over(picture, width, height)
}

// campaignColumns are the columns of the list of campaigns.
var campaignColumns = table{
	{title: "campaign", width: 18},
	{title: "kind", width: 8, rank: 2},
	{title: "units", width: 15, right: true},
	{title: "failed", width: 6, right: true, rank: 1},
	{title: "state", width: 10},
}

func (s *Screen) viewList(width, height int) string {
	f := draw.Frame{Title: "Campaigns", Width: width, Height: height, Focused: true}
	w, _ := f.Inner()
	if len(s.shown.view.Campaigns) == 0 {
		text := "\n  No campaign is on these servers. To start one:\n\n" +
			"  sonde survey FOLDER --nats URL\n  sonde study study.yaml --nats URL"
		if s.shown.view.Problem != "" {
			text = "\n  " + theme.Bad.Render(theme.Failed+" "+s.shown.problem())
		}
		return f.Render(text)
	}
	f.Note = position(s.all)
	if s.shown.view.Problem != "" {
		f.Note = theme.Failed + " " + s.shown.problem()
	}
	rows := []string{" " + campaignColumns.titles(w-1).Render(w-1, false)}
	from, to := s.all.Visible()
	for i := from; i < to; i++ {
		c := s.shown.view.Campaigns[i]
		state, style := stateText(c)
		row := campaignColumns.line(w-1, []cell{
			{draw.CutMiddle(draw.Clean(c.ID), 18), theme.Strong},
			{draw.Clean(c.Kind), theme.Plain},
			{words.Short(c.Done+c.Failed) + " of " + words.Short(c.Units), theme.Plain},
			{dashed(c.Failed), failedStyle(c.Failed)},
			{state, style},
		})
		at := i == s.all.At
		rows = append(rows, append(widget.CursorMark(at), row...).Render(w, at))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// stateText describes the state of a campaign in one line.
func stateText(c usecase.Campaign) (string, theme.Style) {
	switch {
	case c.Cancelled:
		return theme.Failed + " cancelled", theme.Bad
	case c.Ended:
		return theme.Ok + " ended", theme.Good
	case c.Life == usecase.Alive:
		return theme.Running + " running, " + draw.Clean(c.Coordinator), theme.Plain
	case c.Life == usecase.LivenessUnknown:
		return theme.Optional + " looking for its coordinator", theme.Dim
	}
	return theme.Failed + " " + coordinatorSilence(c), theme.Bad
}

// coordinatorSilence says for how long a coordinator has given no sign of life.
func coordinatorSilence(c usecase.Campaign) string {
	text := "coordinator silent"
	switch {
	case c.Silent > 0:
		return text + " for " + duration(c.Silent)
	case !c.LastWrittenAt.IsZero():
		return text + " since " + c.LastWrittenAt.Local().Format("2006-01-02 15:04")
	}
	return text
}

// duration formats a time of silence, such as 12s or 1h5m.
func duration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(d.Seconds())) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + "m"
	}
	return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
}

// dashed formats a number. It formats 0 as the sign theme.Untried.
func dashed(n int) string {
	if n == 0 {
		return theme.Untried
	}
	return words.Short(max(0, n))
}

func failedStyle(n int) theme.Style {
	if n > 0 {
		return theme.Bad
	}
	return theme.Dim
}

// position returns which rows of a list are visible, such as "3-7 of 20". It returns "" if all rows are visible.
func position(l widget.List) string {
	from, to := l.Visible()
	if to-from >= l.Rows {
		return ""
	}
	return fmt.Sprintf("%d-%d of %s", from+1, to, words.Count(l.Rows))
}

// viewCampaign draws the head and the panes of a campaign, or a detail in place of the panes.
func (s *Screen) viewCampaign() string {
	l := s.layout()
	head := s.viewHead(l)
	if s.detail != nil {
		return draw.JoinRows(head, s.detail.view(s.width, max(0, s.height-l.head.H)))
	}
	draws := [parts]func(draw.Rect, bool) string{partWorkers: s.viewWorkers, partFailures: s.viewFailures, partProgress: s.viewProgress}
	var drawn [parts]string
	for p := range parts {
		if r := l.part[p]; !r.Empty() {
			drawn[p] = draws[p](r, s.panes.focus == p)
		}
	}
	if !l.framed {
		return draw.JoinRows(head, s.tabs(l.tabs.W), drawn[s.panes.focus])
	}
	return draw.JoinRows(head, join(l, drawn))
}

// join joins the drawn panes. It is for a layout that shows all panes at once.
func join(l layout, drawn [parts]string) string {
	workers, failures, curves := l.part[partWorkers], l.part[partFailures], l.part[partProgress]
	rest := drawn[partFailures]
	switch {
	case curves.Empty():
	case curves.X == failures.X:
		rest = draw.JoinRows(drawn[partProgress], rest)
	default:
		rest = draw.JoinColumns(rest, drawn[partProgress])
	}
	if workers.W < l.head.W {
		return draw.JoinColumns(drawn[partWorkers], rest)
	}
	return draw.JoinRows(drawn[partWorkers], rest)
}

// tabs draws the names of the panes.
func (s *Screen) tabs(width int) string {
	var line draw.Line
	for _, p := range s.layout().visible {
		mark, style := "  ", theme.Plain
		if p == s.panes.focus {
			mark, style = theme.Cursor+" ", theme.Active
		}
		line = append(line, draw.Span{Text: mark + s.shown.title(p) + " ", Style: style})
	}
	return line.Render(width, false)
}

// title returns the title of a pane.
func (s shown) title(p part) string {
	switch p {
	case partFailures:
		c, _ := s.campaign()
		return "Failed " + words.Count(max(c.Failed, len(s.view.Failures)))
	case partProgress:
		return "Progress " + words.Count(len(s.view.Progress))
	}
	return "Workers " + words.Count(len(s.view.Workers))
}

// LegendEntries returns the signs of the screen for the help page.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{theme.Live, "a worker that lives"},
		{theme.Failed, "no sign of life for 4 seconds, or failed"},
		{theme.Optional, "nothing is known of it yet"},
		{theme.Untried, "a worker that has ended, or none"},
		{theme.Corrected, "a worker of another version of Sonde"},
		{"jobs", "units in progress, of those at the same time"},
		{"tries", "failed tries of units"},
	}
}
