package campaign

import (
	"slices"

	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyYes = keymap.Bind("y", "cancel it")
	keyNo  = keymap.Bind("esc", "leave it", "esc", "n")
)

type need = keymap.Need[*Screen]

var (
	needCampaign = need{Met: func(s *Screen) bool { return s.underCursor().ID != "" }, Why: "there is no campaign"}
	needProgress = need{Met: func(s *Screen) bool { return s.underCursor().InProgress() }, Why: "it is not in progress"}
	needDetail   = need{Met: (*Screen).hasDetail, Why: "there is no row with details"}
	needPanes    = need{Met: func(s *Screen) bool { return len(s.layout().visible) > 1 }, Why: "there is one pane"}
)

var cancelRow = keymap.Row[*Screen]{
	Key: keymap.Bind("x", "cancel it …"), Needs: []need{needCampaign, needProgress}, Do: (*Screen).ask,
}

// keys are the keys of the screen.
var keys = keymap.Map[*Screen]{
	{
		On:   func(s *Screen) bool { return s.question.Open() },
		Busy: "a question is open",
		Rows: []keymap.Row[*Screen]{{Key: keyYes}, {Key: keyNo}}, // the question handles these keys
	},
	{
		On: func(s *Screen) bool { return s.detail != nil },
		Rows: slices.Concat(
			[]keymap.Row[*Screen]{{
				Key: keymap.Bind("esc", "back", "esc", "left", "h", "enter"), Do: keymap.Act(func(s *Screen) { s.detail = nil }),
			}},
			moves,
		),
	},
	{
		On: func(s *Screen) bool { return s.shown.id == "" },
		Rows: slices.Concat([]keymap.Row[*Screen]{
			{Key: keymap.Bind("⏎", "watch it", "enter", "right", "l"), Needs: []need{needCampaign}, Do: (*Screen).open},
			cancelRow,
		}, moves),
	},
	{Rows: slices.Concat([]keymap.Row[*Screen]{
		{Key: keymap.Bind("⏎", "details", "enter", "right", "l"), Needs: []need{needDetail}, Do: keymap.Act((*Screen).openDetail)},
		{Key: keymap.Bind("v", "next pane", "v", "tab"), Needs: []need{needPanes}, Do: keymap.Act((*Screen).nextPane)},
		cancelRow,
		{Key: keymap.Bind("esc", "all campaigns"), Do: keymap.Act((*Screen).close)},
	}, moves)},
}

// hasDetail reports whether the row under the cursor has details.
func (s *Screen) hasDetail() bool {
	return s.panes.focus != partProgress && s.shown.rows(s.panes.focus) > 0
}

// moves are the keys that move the cursor of the visible list, or scroll.
var moves = keymap.Each(widget.MoveKeys(), func(s *Screen, k tea.KeyMsg) tea.Cmd {
	s.cursor().Key(k)
	return nil
})

// cursor returns the cursor of the list with the focus.
func (s *Screen) cursor() *widget.List {
	switch {
	case s.detail != nil:
		return &s.detail.scroll
	case s.shown.id == "":
		return &s.all
	}
	return &s.panes.lists[s.panes.focus]
}

// Keys returns the keys that are active now.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns the actions of all keys.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys of the screen, for docs/keys.md.
func Listed() []key.Binding { return keys.Listed() }

// mouse moves the cursor when the user turns the wheel, or clicks on a row.
func (s *Screen) mouse(msg tea.MouseMsg) {
	if s.question.Open() {
		return
	}
	rows := widget.WheelRows(msg)
	if s.detail != nil || s.shown.id == "" {
		l := s.cursor()
		l.Go(l.At + rows)
		if s.detail == nil && widget.LeftClick(msg) {
			l.Click(msg.Y - listTop)
		}
		return
	}
	l := s.layout()
	for _, p := range l.visible {
		r := l.part[p]
		if !r.Has(msg.X, msg.Y) {
			continue
		}
		list := &s.panes.lists[p]
		switch {
		case rows != 0:
			list.Go(list.At + rows)
		case widget.LeftClick(msg):
			s.panes.focus = p
			if p != partProgress {
				list.Click(msg.Y - r.Y - listTop)
			}
		}
	}
}
