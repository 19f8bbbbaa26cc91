package network

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// View draws the map and the host under the cursor, or one of them where room is
// short.
func (s *Screen) View(width, height int) string {
	v := *s
	v.width, v.height = width, height
	v.fit()
	picture := v.picture()
	switch {
	case v.menu != nil:
		return v.menu.over(picture, width, height)
	case v.edit != nil:
		return v.edit.over(picture, width, height)
	}
	return picture
}

func (s *Screen) picture() string {
	if len(s.hosts) == 0 {
		f := draw.Frame{Title: "Network", Width: s.width, Height: s.height, Focused: true}
		return f.Render(empty(s.idle(), s.width-2))
	}
	l := s.layout()
	var right []string
	if !l.facts.Empty() {
		right = append(right, s.viewFacts(l.facts))
	}
	if !l.contacts.Empty() {
		right = append(right, s.viewAsked(l.contacts))
	}
	if l.hosts.Empty() {
		return draw.JoinRows(right...)
	}
	hosts := s.viewHosts(l.hosts)
	if len(right) == 0 {
		return hosts
	}
	return draw.JoinColumns(hosts, draw.JoinRows(right...))
}

func (s *Screen) viewHosts(r draw.Rect) string {
	f := draw.Frame{Title: s.title(), Width: r.W, Height: r.H, Focused: s.focus == onMap}
	w, _ := f.Inner()
	if s.list.Rows > s.list.Height {
		f.Note = fmt.Sprintf("%d of %d lines", s.list.At+1, s.list.Rows)
	}
	return f.Render(s.viewMap(w))
}

// title counts the hosts, and says where it matters that the run is over.
func (s *Screen) title() string {
	title := "Network" + theme.Dim.Render(" · ") + words.Plural(len(s.hosts), "host")
	switch {
	case s.byHand:
		title += theme.Dim.Render(" · by hand")
	case !s.live() && s.seen:
		title += theme.Dim.Render(" · the search is over")
	}
	return title
}

func (s *Screen) viewFacts(r draw.Rect) string {
	h := s.at()
	f := draw.Frame{Title: draw.CutMiddle(draw.Clean(h.Host), r.W-6), Width: r.W, Height: r.H}
	w, rows := f.Inner()
	return f.Render(s.facts(h, w, rows))
}

// viewAsked draws the contacts, or the one that is open.
func (s *Screen) viewAsked(r draw.Rect) string {
	f := draw.Frame{Title: "Last contacts", Width: r.W, Height: r.H, Focused: s.focus != onMap}
	w, h := f.Inner()
	if s.focus == onWhole {
		f.Title = draw.CutMiddle(draw.Clean(s.at().Host), r.W-6)
		note, body := s.viewWhole(w, h)
		f.Note = note
		return f.Render(body)
	}
	if n := s.newer(); n > 0 {
		f.Title += theme.Dim.Render(" · held")
		f.Note = words.Count(n) + " newer"
	}
	return f.Render(s.viewContacts(w))
}

// idle says why there is nothing to see or to change, and what to do: a paragraph
// each.
func (s *Screen) idle() []string {
	switch {
	case s.host.Net == screen.NetworkUnavailable:
		return []string{
			"Sonde puts a virtual network around a service that it starts: what other hosts answer is then part of the search, and stands here.",
			"In sonde.yaml say sut: {build: ./cmd/server} for one in Go, or else sut: {run: [...]}",
			"The demo has other hosts, too: sonde --demo --net",
		}
	case s.starting:
		return []string{"The search is starting. The hosts to which the service turns stand here then."}
	case s.live() && len(s.hosts) == 0:
		return []string{
			"The service turned to no other host so far. What it turns to stands here as soon as it does; " +
				widget.KeyName(keyNew) + " says beforehand what a host answers.",
		}
	case s.byHand:
		return []string{
			"What was sent by hand (1, then r) turned to no other host so far; " + widget.KeyName(keyNew) + " says beforehand what one answers.",
		}
	case s.seen && !s.net && ongoing(s.phase):
		return []string{"This search leaves the service the real network. Stop it, and start one with network on (5)."}
	}
	return []string{
		"No search with a virtual network is going on: 5 starts one, with network on.",
		"A request by hand (1, then r) with network virtual shows its hosts here, too; " + widget.KeyName(keyNew) +
			" says beforehand what one answers.",
		"In a shell: " + s.command(),
	}
}

// command is a search with a virtual network.
func (s *Screen) command() string {
	if s.host.Name == "demo" {
		return "sonde search --demo --net"
	}
	return "sonde search " + cmp.Or(draw.Clean(s.source), "SPEC") + " --net"
}

// empty says something where there is nothing else.
func empty(paragraphs []string, width int) string {
	var rows []string
	for _, text := range paragraphs {
		rows = append(append(rows, ""), words.Wrap(text, min(width-2, 76))...)
	}
	return strings.Join(rows, "\n ")
}

// mouse moves the focus and the cursor to what was clicked, and scrolls what lies
// under the pointer.
func (s *Screen) mouse(msg tea.MouseMsg) {
	switch {
	case s.menu != nil:
		s.menu.mouse(msg)
		return
	case s.edit != nil || len(s.hosts) == 0:
		return
	}
	l, by := s.layout(), widget.WheelRows(msg)
	switch {
	case l.hosts.Has(msg.X, msg.Y):
		s.mouseMap(msg, l.hosts)
	case !l.contacts.Has(msg.X, msg.Y):
	case s.focus == onWhole:
		s.whole.Go(s.whole.At + by)
	case widget.LeftClick(msg):
		if s.focus == onMap {
			s.read()
		}
		s.contacts.Fit(len(s.listed()), s.contacts.Height)
		s.contacts.Click(msg.Y - l.contacts.Y - 1)
	default:
		s.contacts.Go(s.contacts.At + by)
	}
}

func (s *Screen) mouseMap(msg tea.MouseMsg, r draw.Rect) {
	was := s.list.At
	s.list.Go(was + widget.WheelRows(msg))
	if widget.LeftClick(msg) {
		s.focus = onMap
		s.list.Click(msg.Y - r.Y - 1)
	}
	s.land(s.list.At >= was)
}
