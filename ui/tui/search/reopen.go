package search

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/past"

	tea "github.com/charmbracelet/bubbletea"
)

// listed is sent when listPast has read the searches on disk.
type listed struct {
	all []usecase.PastSearch
	err error
}

// reopened is sent when reopen has read a search from disk.
type reopened struct {
	past usecase.PastSearch
	snap model.Snapshot
	err  error
}

// pastRun is a search that was read from disk. It cannot be steered.
type pastRun struct {
	past usecase.PastSearch
	snap model.Snapshot
}

func (r pastRun) Snapshot() model.Snapshot { return r.snap }
func (r pastRun) Apply(model.Command)      {}
func (r pastRun) Pause()                   {}
func (r pastRun) Resume()                  {}
func (r pastRun) Step()                    {}
func (r pastRun) Stop()                    {}
func (r pastRun) Folder() string           { return r.past.Folder }
func (r pastRun) Command() string          { return r.past.Command }
func (r pastRun) Source(model.SourceFile) (string, error) {
	return "", errors.New("a search that was opened again has no source: start a new one with white-box on")
}

// reopenFirst opens the search that the app was started with. It does so only once.
func reopenFirst(m *Model) tea.Cmd {
	folder := m.host.PastSearch
	m.host.PastSearch = ""
	if folder == "" {
		return nil
	}
	return tea.Batch(reopen(m.engine.Searches, folder), m.engine.Queue.ShowScreen(screen.TabSearch, ""))
}

// listPast shows the list of searches on disk, and reads them.
func (m *Model) listPast() tea.Cmd {
	m.past, m.inPast = past.Model{}, true
	list := m.engine.Searches.List
	return func() tea.Msg {
		all, err := list(context.Background())
		return listed{all, err}
	}
}

// rowsOf returns the rows of the list of searches on disk.
func rowsOf(all []usecase.PastSearch) (rows []past.Row) {
	for _, p := range all {
		rows = append(rows, past.Row{Folder: p.Folder, Started: p.Started, Summary: p.Summary, State: state(p), How: settingsText(p)})
	}
	return rows
}

// state returns how a search ended.
func state(p usecase.PastSearch) string {
	switch {
	case !p.Finished:
		return "no end"
	case p.Summary.Trouble != "":
		return "failed"
	case p.Summary.Cancelled:
		return "stopped"
	}
	return "done"
}

// settingsText returns P, the other knobs that do not have their default, and the seed. It then names white-box,
// network and security tests if they were on. If the search was of another version of the spec, the text says so.
func settingsText(p usecase.PastSearch) string {
	var parts []string
	for _, k := range knobs {
		if v := k.get(p.Settings.Tuning); k.id == model.KnobSmart || !equal(v, k.get(model.DefaultTuning())) {
			parts = append(parts, k.symbol+" "+k.short(v))
		}
	}
	parts = append(parts, fmt.Sprintf("seed %d", p.Settings.Seed))
	for _, s := range []struct {
		is   bool
		text string
	}{
		{p.Settings.WhiteBox, "white-box"},
		{p.Settings.Net, "network"},
		{p.Settings.Security, "security tests"},
		{p.OtherVersion, "another version of the spec"},
	} {
		if s.is {
			parts = append(parts, s.text)
		}
	}
	return strings.Join(parts, ", ")
}

// reopen reads the search in a folder. It does nothing if folder is "".
func reopen(searches usecase.Searches, folder string) tea.Cmd {
	if folder == "" {
		return nil
	}
	open := searches.Open
	return func() tea.Msg {
		p, snap, err := open(context.Background(), folder)
		return reopened{past: p, snap: snap, err: err}
	}
}

// reopened shows a search that was read from disk, or the error. It does nothing if a search is in
// progress.
func (m *Model) reopened(msg reopened) tea.Cmd {
	switch {
	case m.run.active():
		return nil
	case msg.err != nil && m.inPast:
		m.past.Failed(msg.err)
		return nil
	case msg.err != nil:
		return screen.ShowError(msg.err)
	}
	m.showAnother()
	m.run.reopen(msg.past, msg.snap)
	cmd := m.run.adopt(pastRun{msg.past, msg.snap}, m.interval)
	m.source.Take(nil, nil, m.runView().noSource())
	return tea.Batch(
		cmd, screen.ShowStatus("Opened the search in "+draw.Clean(msg.past.Folder)), screen.TrafficIsKept(msg.past.Folder),
	)
}
