package network

import (
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// focus is the pane that receives the keys.
type focus int

const (
	onMap focus = iota
	onContacts
	onContact // one contact is open
)

// contactReader shows the contacts of a host, or one contact in full. While the user reads, the list does not change.
// Newer contacts are only counted.
type contactReader struct {
	focus focus
	held  []model.HostContact // the list that remains on the screen while the user reads
	count int                 // number of the host's contacts when held was set
	list  widget.List
	text  widget.List // lines of the open contact; its cursor is the first visible line
}

// contacts returns the contacts of a host that the screen shows, the newest first.
func (r *contactReader) contacts(h *model.HostSummary) []model.HostContact {
	if r.focus != onMap {
		return r.held
	}
	return newestFirst(h)
}

func newestFirst(h *model.HostSummary) []model.HostContact {
	if h == nil {
		return nil
	}
	all := slices.Clone(h.RecentContacts)
	slices.Reverse(all)
	return all
}

// open moves the focus to the contacts of a host, if there are any.
func (r *contactReader) open(h *model.HostSummary) {
	if h == nil || len(h.RecentContacts) == 0 {
		return
	}
	*r = contactReader{focus: onContacts, held: newestFirst(h), count: h.Count}
}

// openContact shows the contact under the cursor in full.
func (r *contactReader) openContact() { r.focus, r.text = onContact, widget.List{} }

// newer returns the number of contacts since held was set.
func (r *contactReader) newer(h *model.HostSummary) int {
	if h != nil && r.focus != onMap {
		return h.Count - r.count
	}
	return 0
}

// selected returns the contact under the cursor, nil if there is none.
func (r *contactReader) selected(h *model.HostSummary) *model.HostContact {
	if all := r.contacts(h); r.list.At < len(all) {
		return &all[r.list.At]
	}
	return nil
}

// press moves the cursor of the pane with the focus.
func (r *contactReader) press(k tea.KeyMsg) {
	if r.focus == onContact {
		r.text.Key(k)
		return
	}
	r.list.Key(k)
}

// mouse handles a mouse event on a line of the pane. A click moves the focus to the contacts, and the
// cursor to the contact on the line.
func (r *contactReader) mouse(msg tea.MouseMsg, line int, h *model.HostSummary) {
	switch rows := widget.WheelRows(msg); {
	case r.focus == onContact:
		r.text.Go(r.text.At + rows)
	case widget.LeftClick(msg):
		if r.focus == onMap {
			r.open(h)
		}
		r.list.Fit(len(r.contacts(h)), r.list.Height)
		r.list.Click(line)
	default:
		r.list.Go(r.list.At + rows)
	}
}

// fit sets the numbers of rows of both lists, and how many of them are visible.
func (r *contactReader) fit(h *model.HostSummary, pane draw.Rect) {
	r.list.Fit(len(r.contacts(h)), max(1, pane.H-2))
	if r.focus == onContact {
		lines := len(contactLines(r.selected(h), h, pane.W-2))
		r.text.Fit(max(0, lines-(pane.H-2))+1, 1)
	}
}
