package network

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// View draws the map and the selected host, or one of them on a narrow screen.
func (s *Screen) View(width, height int) string {
	fitted := *s
	fitted.width, fitted.height = width, height
	fitted.fit()
	picture := fitted.view().picture()
	switch {
	case s.menu != nil:
		return s.menu.over(picture, width, height)
	case s.edit != nil:
		return s.edit.over(picture, width, height)
	}
	return picture
}

// view draws the screen without boxes. It does not change the state.
type view struct {
	width, height int
	layout        layout
	service       screen.Service
	source        string
	run           runState
	manual        bool
	hosts         hostList
	contacts      contactReader
	pending       []model.Command
}

func (s *Screen) view() view {
	return view{
		width:    s.width,
		height:   s.height,
		layout:   s.layout(),
		service:  s.service,
		source:   s.source,
		run:      s.run,
		manual:   s.manual,
		hosts:    s.hosts,
		contacts: s.contacts,
		pending:  s.pending,
	}
}

func (v *view) hostCount() int { return len(v.hosts.all) }

func (v view) picture() string {
	if v.hostCount() == 0 {
		f := draw.Frame{Title: "Network", Width: v.width, Height: v.height, Focused: true}
		return f.Render(paragraphs(v.whyEmpty(), v.width-2))
	}
	var right []string
	if !v.layout.facts.Empty() {
		right = append(right, v.factsPane(v.layout.facts))
	}
	if !v.layout.contacts.Empty() {
		right = append(right, v.contactsPane(v.layout.contacts))
	}
	if v.layout.hosts.Empty() {
		return draw.JoinRows(right...)
	}
	hosts := v.mapPane(v.layout.hosts)
	if len(right) == 0 {
		return hosts
	}
	return draw.JoinColumns(hosts, draw.JoinRows(right...))
}

func (v *view) mapPane(r draw.Rect) string {
	focused := v.contacts.focus == onMap
	f := draw.Frame{Title: v.title(), Width: r.W, Height: r.H, Focused: focused}
	width, _ := f.Inner()
	rows := v.hosts.rows
	if rows.Rows > rows.Height {
		f.Note = fmt.Sprintf("%d of %d lines", rows.At+1, rows.Rows)
	}
	m := newMapView(v.service.Name, v.hosts, v.pending, focused, width)
	return f.Render(m.picture())
}

// title describes the number of hosts, and whether they belong to manual requests or to a finished search.
func (v *view) title() string {
	title := "Network" + theme.Dim.Render(" · ") + words.Plural(v.hostCount(), "host")
	switch {
	case v.manual:
		title += theme.Dim.Render(" · manual requests")
	case !v.run.live() && v.run.hasSnapshot:
		title += theme.Dim.Render(" · the search has ended")
	}
	return title
}

func (v *view) factsPane(r draw.Rect) string {
	h := v.hosts.selected()
	f := draw.Frame{Title: draw.CutMiddle(draw.Clean(h.Host), r.W-6), Width: r.W, Height: r.H}
	width, height := f.Inner()
	return f.Render(hostFacts(h, v.pending, width, height))
}

// contactsPane draws the contacts of the selected host, or the open contact.
func (v *view) contactsPane(r draw.Rect) string {
	h := v.hosts.selected()
	f := draw.Frame{Title: "Last contacts", Width: r.W, Height: r.H, Focused: v.contacts.focus != onMap}
	width, height := f.Inner()
	if v.contacts.focus == onContact {
		f.Title = draw.CutMiddle(draw.Clean(h.Host), r.W-6)
		note, body := contactText(contactLines(v.contacts.selected(h), h, width), v.contacts.text.At, height)
		f.Note = note
		return f.Render(body)
	}
	if n := v.contacts.newer(h); n > 0 {
		f.Title += theme.Dim.Render(" · held")
		f.Note = words.Count(n) + " newer"
	}
	return f.Render(contactRows(v.contacts.contacts(h), v.contacts.list, v.contacts.focus == onContacts, width))
}

// whyEmpty returns paragraphs that say why the screen is empty or why nothing can be changed. The first says in a line
// what is needed, and the key or command that gets it. The others have details.
func (v view) whyEmpty() []string {
	newStub := widget.KeyName(keyNew)
	switch {
	case v.service.Net == usecase.NetworkUnavailable:
		return []string{
			"Needs a service that Sonde starts: sonde --demo --net",
			"Sonde puts a virtual network around a service that it starts: " +
				"the answers of other hosts are then part of the search, and are shown here.",
			"In sonde.yaml say sut: {build: ./cmd/server} for one in Go, or else sut: {run: [...]}",
		}
	case v.run.starting:
		return []string{"The search is starting. The hosts that the service contacts are shown here then."}
	case v.run.live() && v.hostCount() == 0:
		return []string{
			"Waits until the service contacts another host",
			"The service has contacted no other host so far. Hosts appear here as soon as it does; " +
				newStub + " sets the answer of a host beforehand.",
		}
	case v.manual:
		return []string{
			"Waits until the service contacts another host",
			"The service has contacted no other host during manual requests (1, then r) so far; " +
				newStub + " sets the answer of a host beforehand.",
		}
	case v.run.hasSnapshot && !v.run.net && v.run.ongoing():
		return []string{
			"Needs a search with network on: 5, stop this one, start",
			"The service uses the real network in this search.",
		}
	}
	return []string{
		"Needs a search with network on: 5 sets it and starts one",
		"A manual request (1, then r) with network virtual shows its hosts here, too; " +
			newStub + " sets the answer of a host beforehand.",
		"In a shell: " + v.command(),
	}
}

// command returns the command for a search with a virtual network.
func (v *view) command() string {
	if v.service.Name == "demo" {
		return "sonde search --demo --net"
	}
	return "sonde search " + cmp.Or(draw.Clean(v.source), "SPEC") + " --net"
}

// paragraphs draws texts with an empty line before each. The first one is bold.
func paragraphs(texts []string, width int) string {
	var rows []string
	for i, text := range texts {
		lines := words.Wrap(text, min(width-2, 76))
		for j := range lines {
			if i == 0 {
				lines[j] = theme.Strong.Render(lines[j])
			}
		}
		rows = append(append(rows, ""), lines...)
	}
	return strings.Join(rows, "\n ")
}
