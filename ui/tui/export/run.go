package export

import (
	"errors"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// canRun reports whether there are items to run and a service, and no run is in progress.
func (s *Screen) canRun() bool {
	return s.service.URL != "" && !s.picks.values.running() && len(s.picks.toRun()) > 0
}

// searching reports whether a search is running or starting.
func (s *Screen) searching() bool {
	return s.starting || s.phase == model.PhaseRunning || s.phase == model.PhasePaused
}

// runItems runs all items that have to be run. If the service is remote and the user has not allowed the calls yet,
// runItems first asks the user. During a search it shows an error and runs nothing.
func (s *Screen) runItems() tea.Cmd {
	items := s.picks.toRun()
	if s.searching() {
		return s.startItems() // only shows why it cannot
	}
	var ops []model.OpID
	for _, item := range items {
		ops = append(ops, item.Seq...)
	}
	title, text, ask := s.service.ConsentTo(screen.PlannedCalls{
		What:   "run " + words.Plural(len(items), "seq") + " on",
		Effect: " to find their values: it creates, changes and deletes",
		Ops:    ops,
	}, s.allowed)
	if ask {
		return s.question.Ask(title, text, keySend, keyDont, s.allow)
	}
	return s.startItems()
}

// startItems runs all items that have to be run, without a question. During a search it shows an error.
func (s *Screen) startItems() tea.Cmd {
	items := s.picks.toRun()
	if len(items) == 0 {
		return nil // the picks have changed while a question was open
	}
	if s.searching() {
		return screen.ShowError(errors.New("stop the search first: finding values resets the service during it"))
	}
	return s.picks.values.start(items, s.engine, s.surroundings)
}

// allow runs the items on the remote service, and tells the other screens that calls to it
// are allowed.
func (s *Screen) allow() tea.Cmd {
	s.allowed = true
	return tea.Batch(s.startItems(), s.engine.Queue.Send(widget.HostAllowed{URL: s.service.URL}))
}

// itemRun stores the values of an item. After the last item it writes the file, if the user has asked for the file.
func (s *Screen) itemRun(msg itemRun) tea.Cmd {
	cmd, current := s.picks.values.accept(msg, s.engine, s.surroundings)
	if !current {
		return nil
	}
	if msg.err == nil {
		s.fileChanged()
	}
	if s.picks.values.running() || !s.writeAfterRun {
		return cmd
	}
	s.writeAfterRun = false
	return s.write(s.destination.folder, false)
}
