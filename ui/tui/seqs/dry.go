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

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyDry = key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "dry run"))
	keyWet = key.NewBinding(key.WithKeys("esc", "n"), key.WithHelp("esc", "back"))
)

// dry is what a row would send, shown instead of its details while it has a row.
type dry struct {
	row      *row
	calls    []model.Call
	requests []model.Request
	back     bool // the list has the focus again behind it
}

// drying tells that the page is of what the row under the cursor would send.
func (s *Screen) drying() bool {
	return s.dry.row != nil && s.list.At < len(s.shown) && s.shown[s.list.At] == s.dry.row
}

// rehearsed brings what a row would send.
type rehearsed struct {
	dry
	err error
}

// dryRun asks for what the row under the cursor would send. Nothing is sent.
func (s *Screen) dryRun() tea.Cmd {
	r, e := s.shown[s.list.At], s.engine
	t := r.Test
	if r.built {
		t = r.draft()
	}
	s.dry = dry{row: r, back: !s.reading}
	s.reading, s.page.At = true, 0
	seq, back := r.Seq, s.dry.back
	return func() tea.Msg {
		if t == nil {
			made, err := e.Prepare(seq)
			if err != nil {
				return rehearsed{dry{row: r}, err}
			}
			t = &made
		}
		return rehearsed{dry{row: r, calls: t.Calls, requests: e.Requests(*t), back: back}, nil}
	}
}

// rehearsed shows what a row would send, unless the person went on.
func (s *Screen) rehearsed(msg rehearsed) tea.Cmd {
	if s.dry.row != msg.row {
		return nil
	}
	if msg.err != nil {
		s.endDry()
		return screen.ShowError(msg.err)
	}
	s.dry = msg.dry
	return nil
}

func (s *Screen) endDry() {
	s.reading = !s.dry.back
	s.dry, s.page.At = dry{}, 0
}

// pressDry takes a key while it is shown.
func (s *Screen) pressDry(k tea.KeyMsg) {
	if key.Matches(k, keyWet) {
		s.endDry()
		return
	}
	s.page.Key(k)
}

// rehearsal are the lines of what would be sent.
func (s *Screen) rehearsal(width int) []draw.Line {
	p := &page{width: width}
	to := ""
	if s.host.URL != "" {
		to = " to " + draw.Clean(s.host.URL)
	}
	p.prose("What would be sent"+to+". Nothing is sent now.", theme.Dim)
	for i, r := range s.dry.requests {
		p.add(nil)
		p.request(i, r)
		if user := s.dry.calls[i].User; user != "" {
			p.add(draw.TextLine(strings.Repeat(" ", inset)+"as "+draw.Clean(user)+", with what proves that", theme.Dim))
		}
		p.content(r)
	}
	return p.lines
}

// request is a request's number, method and URL, on as many lines as that takes.
func (p *page) request(i int, r model.Request) {
	for n, l := range words.Wrap(draw.Clean(r.URL), max(8, p.width-inset-len(r.Method)-2)) {
		line := draw.TextLine(strings.Repeat(" ", inset+len(r.Method)+1), theme.Plain)
		if n == 0 {
			line = draw.TextLine(fmt.Sprintf("%2d", i+1), theme.Dim).At(inset, draw.Span{Text: r.Method + " ", Style: theme.Method(r.Method)})
		}
		p.add(append(line, draw.Span{Text: l, Style: theme.Value}))
	}
}

// content are a request's headers and body.
func (p *page) content(r model.Request) {
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
	for _, l := range strings.Split(draw.CleanLines(pretty(string(r.Body))), "\n") {
		p.add(draw.TextLine(strings.Repeat(" ", inset+2)+l, theme.Plain))
	}
}
