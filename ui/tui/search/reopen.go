package search

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/past"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// listed are the searches that are kept on disk, reopened one of them.
type (
	listed struct {
		all []screen.Past
		err error
	}
	reopened struct {
		past screen.Past
		snap model.Snapshot
		err  error
	}
)

// still is a search that was read from disk: nothing can be done to it.
type still struct {
	past screen.Past
	snap model.Snapshot
}

func (s still) Snapshot() model.Snapshot { return s.snap }
func (s still) Steer(model.Steer)        {}
func (s still) Pause()                   {}
func (s still) Resume()                  {}
func (s still) Step()                    {}
func (s still) Stop()                    {}
func (s still) Folder() string           { return s.past.Folder }
func (s still) Command() string          { return s.past.Command }
func (s still) Source(model.SourceFile) (string, error) {
	return "", errors.New("a search that was opened again has no source")
}

// first opens the search that the app was started with, once.
func (m *Model) first() tea.Cmd {
	folder := m.host.Past
	m.host.Past = ""
	if folder == "" {
		return nil
	}
	return tea.Batch(m.reopen(folder), m.engine.Post.Show(screen.Search, ""))
}

// look shows the searches that are kept on disk.
func (m *Model) look() tea.Cmd {
	m.past, m.inPast = past.Model{}, true
	list := m.engine.Searches.List
	return func() tea.Msg {
		all, err := list(context.Background())
		return listed{all, err}
	}
}

// listed shows what is there.
func (m *Model) listed(msg listed) {
	var rows []past.Row
	for _, p := range msg.all {
		rows = append(rows, past.Row{Folder: p.Folder, Started: p.Started, Summary: p.Summary, State: state(p), How: made(p)})
	}
	m.past.Take(rows, msg.err)
}

// state is how a search ended.
func state(p screen.Past) string {
	switch {
	case !p.Ended:
		return "no end"
	case p.Summary.Trouble != "":
		return "failed"
	case p.Summary.Cancelled:
		return "stopped"
	}
	return "done"
}

// made says how a search was made: what differs from the usual, and the seed.
func made(p screen.Past) string {
	var parts []string
	for _, k := range knobs {
		if v := k.get(p.Settings.Tuning); k.id == model.Smart || !equal(v, k.get(model.DefaultTuning())) {
			parts = append(parts, k.symbol+" "+k.short(v))
		}
	}
	parts = append(parts, fmt.Sprintf("seed %d", p.Settings.Seed))
	for _, s := range []struct {
		is   bool
		text string
	}{{p.Settings.White, "white-box"}, {p.Settings.Net, "network"}, {p.Other, "another version of the spec"}} {
		if s.is {
			parts = append(parts, s.text)
		}
	}
	return strings.Join(parts, ", ")
}

// pressPast takes a key while the searches are on show.
func (m *Model) pressPast(msg tea.KeyMsg) tea.Cmd {
	folder, mine := m.past.Key(msg)
	switch {
	case folder != "":
		return m.reopen(folder)
	case !mine && key.Matches(msg, past.Leave):
		m.inPast = false
	}
	return nil
}

// pastKeys are those of the searches.
func (m Model) pastKeys() []key.Binding {
	keys := m.past.Keys()
	if m.past.Typing() {
		return keys
	}
	return append(keys, past.Leave)
}

// onward goes on with the search on show, which came to no end or was stopped.
func (m *Model) onward() tea.Cmd {
	m.form.settings = m.watch.settings
	m.form.settings.Onward = m.watch.folder
	return m.start()
}

// resumable tells that the search on show could go on, with this service as it did before.
func (m Model) resumable() bool {
	w, s := m.watch, m.possible(m.watch.settings)
	return m.host.URL != "" && w.run != nil && w.ended() && w.snap.Summary.Cancelled && w.share() < 1 && s.White == w.settings.White && s.Net == w.settings.Net
}

// possible are settings as far as the service allows for them: a search that is opened again
// may have been of another.
func (m Model) possible(s screen.Settings) screen.Settings {
	s.White = s.White && m.host.Sight != screen.NoSight
	s.Net = s.Net && m.host.Net != screen.NoNet
	return s
}

// reopen reads a search that is kept on disk.
func (m *Model) reopen(folder string) tea.Cmd {
	open := m.engine.Searches.Open
	return func() tea.Msg {
		p, snap, err := open(context.Background(), folder)
		return reopened{past: p, snap: snap, err: err}
	}
}

// reopened shows a search that was read from disk, unless another goes on by now.
func (m *Model) reopened(msg reopened) tea.Cmd {
	switch {
	case m.watch.active():
		return nil
	case msg.err != nil && m.inPast:
		m.past.Failed(msg.err)
		return nil
	case msg.err != nil:
		return screen.Fail(msg.err)
	}
	m.turn()
	m.watch.reopen(msg.past, msg.snap)
	cmd := m.watch.adopt(still{msg.past, msg.snap}, m.every)
	m.code.Take(nil, nil, m.unseen())
	return tea.Batch(cmd, screen.Tell("Opened the search in "+pane.Clean(msg.past.Folder)))
}
