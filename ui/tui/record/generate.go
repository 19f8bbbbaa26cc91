package record

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// editFolder opens the text field of the folder of the tests.
func (t *tests) editFolder() {
	field := widget.ValueField(t.dir)
	t.folder = &field
}

// typedFolder takes a key while the folder is being typed; what is typed is written to.
func (s *Screen) typedFolder(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyCancel):
		s.tests.folder = nil
	case key.Matches(k, keyAccept):
		dir := strings.TrimSpace(s.tests.folder.Value())
		s.tests.folder = nil
		if dir == "" || s.tests.writing {
			return nil
		}
		s.tests.dir, s.tests.path, s.tests.writing, s.tests.report = dir, "", true, ""
		return s.make(toWrite)
	default:
		field, _ := s.tests.folder.Update(k)
		s.tests.folder = &field
	}
	return nil
}

// write writes tests into the folder.
func (t *tests) write(of screen.GenerateRequest, made []model.Test, force bool) tea.Cmd {
	t.writing, t.wrote, t.written = true, of, made
	write := t.api.Write
	return func() tea.Msg {
		path, err := write(of, made, force)
		return written{of: of, path: path, err: err}
	}
}

func (s *Screen) written(msg written) tea.Cmd {
	t := &s.tests
	if msg.of.Dir != t.dir {
		return nil
	}
	t.writing = false
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		return s.question.Ask("Replace the tests?", "There are tests in "+draw.Clean(msg.of.Dir)+" already.", keyReplace, keyKeep,
			func() tea.Cmd { return s.tests.write(msg.of, t.written, true) })
	case msg.err != nil:
		return screen.ShowError(msg.err)
	}
	t.path = msg.path
	return screen.ShowStatus("Wrote " + msg.path + ": " + widget.KeyName(keyMimic) + " runs it ten times against the service as it is")
}

// playAll plays what was written against the unchanged service.
func (s *Screen) playAll() tea.Cmd {
	t := &s.tests
	if t.report != "" || t.playing != nil {
		s.turnTo(sideReport)
		return nil
	}
	if s.watch.live() {
		return screen.ShowError(errors.New("stop the recording first (" + widget.KeyName(keyStop) + "): the tests play hosts at its addresses"))
	}
	s.side, s.focus, s.text = sideReport, onSide, widget.List{}
	ctx, stop := context.WithCancel(context.Background())
	t.playing, t.stop = ctx, stop
	of, made, play := t.wrote, t.written, t.api.Generate
	return func() tea.Msg {
		text, err := play(ctx, of, made)
		return played{ctx: ctx, report: text, err: err}
	}
}

func (s *Screen) played(msg played) tea.Cmd {
	t := &s.tests
	if msg.ctx != t.playing {
		return nil
	}
	t.stop()
	t.playing, t.failed = nil, msg.err
	if msg.err != nil {
		return nil // the report says so
	}
	t.report, t.stale = msg.report, true // what was learned shows in the preview
	return nil
}
