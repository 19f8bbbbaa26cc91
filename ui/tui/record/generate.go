package record

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// editFolder opens the text field for the folder of the tests.
func (t *tests) editFolder() {
	field := widget.ValueField(t.dir)
	t.folder = &field
}

// typeFolder handles a key for the folder.
func (t *tests) typeFolder(k tea.KeyMsg) {
	field, _ := t.folder.Update(k)
	t.folder = &field
}

// writeTests generates the tests. When the tests are generated, they are written to the typed folder. writeTests does
// nothing if the folder is empty, or while tests are being written.
func (s *Screen) writeTests() tea.Cmd {
	t := &s.tests
	dir := strings.TrimSpace(t.folder.Value())
	t.folder = nil
	if dir == "" || t.writing {
		return nil
	}
	t.dir, t.path, t.writing, t.report = dir, "", true, ""
	return s.generate(toWrite)
}

// write returns the command that writes the tests. It replaces existing tests only if force is set.
func (t *tests) write(of usecase.GenerateRequest, made []model.Test, force bool) tea.Cmd {
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
		text := "There are tests in " + draw.Clean(msg.of.Dir) + " already."
		replace := func() tea.Cmd { return s.tests.write(msg.of, t.written, true) }
		return s.question.Ask("Replace the tests?", text, keyReplace, keyKeep, replace)
	case msg.err != nil:
		return screen.ShowError(msg.err)
	}
	t.path = msg.path
	return screen.ShowStatus(
		"Wrote " + msg.path + ": " + widget.KeyName(keyMimic) + " runs it ten times against the unchanged service",
	)
}

// playAll plays the written tests against the unchanged service. If the tests are being played or there is a report,
// playAll only shows or hides the report. During a recording it shows an error.
func (s *Screen) playAll() tea.Cmd {
	t := &s.tests
	if t.report != "" || t.playing != nil {
		s.showSide(sideReport)
		return nil
	}
	if s.watch.live() {
		return screen.ShowError(
			errors.New("stop the recording first (" + widget.KeyName(keyStop) + "): the tests play hosts at its addresses"),
		)
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

// played stores the report of playing the tests.
func (t *tests) played(msg played) {
	if msg.ctx != t.playing {
		return
	}
	t.stop()
	t.playing, t.failed = nil, msg.err
	if msg.err != nil {
		return // the report has the error
	}
	t.report, t.stale = msg.report, true // the preview shows the changes from playing
}
