package seqs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// dryRun holds the requests that a row would send. The zero value has no row.
type dryRun struct {
	row      *row
	calls    []model.Call
	requests []model.Request
	back     bool // the list gets the focus after the dry run, because it had the focus before
}

// dryRunDone has the result of prepare: the requests that the row would send, or why they cannot be built.
type dryRunDone struct {
	dryRun
	err error
}

// prepare builds the requests of the row in the background. It sends nothing to the service.
func (d dryRun) prepare(e *screen.Engine) tea.Cmd {
	seq, t := d.row.Seq, d.row.Test
	if d.row.built || d.row.file != nil {
		t = d.row.playable()
	}
	return func() tea.Msg {
		if t == nil {
			made, err := e.Seqs.Prepare(seq)
			if err != nil {
				return dryRunDone{dryRun: dryRun{row: d.row}, err: err}
			}
			t = &made
		}
		d.calls, d.requests = t.Calls, e.Seqs.Requests(*t)
		return dryRunDone{dryRun: d}
	}
}

// lines draws the requests that would be sent to a service. The URL of the service may be "".
func (d dryRun) lines(service string, width int) []draw.Line {
	p := &page{width: width}
	to := ""
	if service != "" {
		to = " to " + draw.Clean(service)
	}
	p.prose("What would be sent"+to+". Nothing is sent now.", theme.Dim)
	for i, r := range d.requests {
		p.add(nil)
		p.requestLine(i, r)
		if user := d.calls[i].User; user != "" {
			p.add(draw.TextLine(strings.Repeat(" ", inset)+"as "+draw.Clean(user)+", with credentials", theme.Dim))
		}
		p.requestContent(r)
	}
	return p.lines
}

// requestLine adds a request's number, method and URL. A long URL takes several lines.
func (p *page) requestLine(i int, r model.Request) {
	for n, l := range words.Wrap(draw.Clean(r.URL), max(8, p.width-inset-len(r.Method)-2)) {
		line := draw.TextLine(strings.Repeat(" ", inset+len(r.Method)+1), theme.Plain)
		if n == 0 {
			method := draw.Span{Text: r.Method + " ", Style: theme.Method(r.Method)}
			line = draw.TextLine(fmt.Sprintf("%2d", i+1), theme.Dim).At(inset, method)
		}
		p.add(append(line, draw.Span{Text: l, Style: theme.Value}))
	}
}

// requestContent adds a request's headers and body.
func (p *page) requestContent(r model.Request) {
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			p.add(draw.Line{
				{Text: strings.Repeat(" ", inset) + draw.Clean(name) + ": ", Style: theme.Dim},
				{Text: draw.Clean(value), Style: theme.Plain},
			})
		}
	}
	if len(r.Body) == 0 {
		return
	}
	for _, l := range strings.Split(draw.CleanLines(indentJSON(string(r.Body))), "\n") {
		p.add(draw.TextLine(strings.Repeat(" ", inset+2)+l, theme.Plain))
	}
}
