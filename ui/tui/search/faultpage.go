package search

import (
	"strings"

	"sonde/model"
	"sonde/ui/clip"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// The keys of the page of a fault.
var (
	keyFault     = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "see fault"))
	keyCopyFault = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy curl"))
	keyToFaults  = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "to the faults"))
)

// faultPage is the page of one fault. The zero value shows none.
type faultPage struct {
	fault  model.Fault
	place  int  // of the fault in the order of the run
	ended  bool // what is told is of a run that has ended
	told   screen.FaultTold
	top    int // the first line in sight
	copies func(text string) error
}

// openFault shows the fault under the cursor on a page of its own.
func (m *Model) openFault() {
	faults, at := m.watch.snap.Faults, m.lists[partFaults].At
	if at >= len(faults) || m.engine.Fault == nil {
		return
	}
	m.page = faultPage{place: len(faults) - 1 - at, copies: clip.Copy}
	m.tellFault()
	m.inFault = true
}

// tellFault lets the page show what the run knows of its fault.
func (m *Model) tellFault() {
	f := m.watch.snap.Faults[m.page.place]
	m.page.fault, m.page.ended = f, m.watch.ended()
	f.Verdict = model.Verdict(repeated(f, m.page.ended))
	m.page.told = m.engine.Fault(f)
}

// refreshFault shows what the run has found out about the fault meanwhile. The lines in
// sight stay where they are.
func (m *Model) refreshFault() {
	faults := m.watch.snap.Faults
	if m.inFault && m.page.place < len(faults) && m.page.older(faults[m.page.place], m.watch.ended()) {
		m.tellFault()
		m.fitFault()
	}
}

// older reports whether the page does not show what is known of the fault now.
func (p faultPage) older(f model.Fault, ended bool) bool {
	was := p.fault
	return p.ended != ended || f.Verdict != was.Verdict || f.Unrepeated != was.Unrepeated || f.Test != was.Test ||
		f.Count != was.Count || f.Merged != was.Merged || f.Calls != was.Calls || f.Text != was.Text
}

// pressFault takes a key while a fault is on show.
func (m *Model) pressFault(msg tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(msg, keyToFaults):
		m.inFault = false
	case key.Matches(msg, keyCopyFault):
		return m.page.copy()
	case key.Matches(msg, keyGo):
		m.inFault = false
		return m.engine.Post.Show(screen.Explore, m.page.fault.Op)
	case key.Matches(msg, keyAgain) && m.page.fault.Test != nil:
		m.inFault = false
		return m.engine.Post.ByHand(m.page.fault.Test.Seq(), m.page.fault.Test)
	default:
		m.scrollFault(msg)
	}
	return nil
}

// scrollFault moves the lines of the fault.
func (m *Model) scrollFault(msg tea.KeyMsg) {
	page := max(1, m.height-3)
	switch {
	case key.Matches(msg, pane.Down):
		m.page.top++
	case key.Matches(msg, pane.Up):
		m.page.top--
	case key.Matches(msg, pane.PageDown):
		m.page.top += page
	case key.Matches(msg, pane.PageUp):
		m.page.top -= page
	case key.Matches(msg, pane.Home):
		m.page.top = 0
	case key.Matches(msg, pane.End):
		m.page.top = len(m.page.lines(max(1, m.width-4)))
	}
	m.fitFault()
}

// fitFault keeps the lines of the fault in sight.
func (m *Model) fitFault() {
	room := len(m.page.lines(max(1, m.width-4))) - max(1, m.height-2)
	m.page.top = max(0, min(m.page.top, room))
}

// copy puts the curl commands on the clipboard.
func (p faultPage) copy() tea.Cmd {
	if p.told.Curl == "" {
		return screen.Tell("The calls that show this fault were not kept: there is nothing to copy")
	}
	return func() tea.Msg {
		if err := p.copies(p.told.Curl); err != nil {
			return screen.Say{Err: err}
		}
		return screen.Say{Text: "copied as commands of curl; credentials are variables"}
	}
}

// faultKeys are those of the page.
func (m Model) faultKeys() []key.Binding {
	keys := []key.Binding{keyToFaults, keyCopyFault, keyGo}
	if m.page.fault.Test != nil {
		keys = append(keys, keyAgain)
	}
	return append(keys, pane.Moves()...)
}

// lines are all that there is to say of the fault, broken to a width. A long line goes
// on below, further in.
func (p faultPage) lines(width int) []string {
	var rows []string
	for line := range strings.SplitSeq(strings.TrimRight(p.told.Text, "\n"), "\n") {
		line = pane.Clean(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if ansi.StringWidth(line) <= width {
			rows = append(rows, line)
			continue
		}
		indent = min(indent, width/2)
		for i, part := range words.Wrap(line, max(1, width-indent-2)) {
			if i > 0 {
				part = "  " + part
			}
			rows = append(rows, strings.Repeat(" ", indent)+part)
		}
	}
	return rows
}

// viewFaultPage draws the page.
func (m Model) viewFaultPage() string {
	frame := pane.Frame{
		Title: "Fault " + m.page.fault.ID + theme.Dim.Render(" · ") + pane.Clean(string(m.page.fault.Op)), Width: m.width, Height: m.height, Focused: true,
	}
	w, h := frame.Inner()
	rows := m.page.lines(w - 2)
	if len(rows) > h {
		frame.Note = words.Count(min(len(rows), m.page.top+h)) + " of " + words.Plural(len(rows), "line")
	}
	var shown []string
	for _, row := range rows[min(m.page.top, len(rows)):min(len(rows), m.page.top+h)] {
		shown = append(shown, " "+headed(row))
	}
	return frame.Render(strings.Join(shown, "\n"))
}

// headed is a line whose first word, if it ends in a colon, is dimmed.
func headed(row string) string {
	name, rest, ok := strings.Cut(row, ":")
	if !ok || strings.HasPrefix(row, "  ") || strings.Contains(name, "  ") {
		return row
	}
	return theme.Dim.Render(name+":") + rest
}
