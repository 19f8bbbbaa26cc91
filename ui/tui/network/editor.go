package network

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"
)

// editor is a stub as JSON, to be changed.
type editor struct {
	area textarea.Model
	old  *model.Stub // that it takes the place of, nil for none
	err  error       // what is wrong with it as it stands
}

// mostEdited is the longest text that can be changed here.
const mostEdited = 32 << 10

// newEditor opens a stub. old is the one that it takes the place of, if any.
func newEditor(s model.Stub, old *model.Stub) (*editor, error) {
	text := written(s)
	if len(text) > mostEdited {
		return nil, fmt.Errorf(
			"the stub of %.60q is too large to be changed here: write it into a file, for sonde search --net --stubs",
			s.Host,
		)
	}
	e := &editor{area: widget.TextArea(text), old: old}
	return e, nil
}

// written is a stub as it is edited: nothing in it steers a terminal.
func written(s model.Stub) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		return "" // a stub is only texts and numbers
	}
	return widget.EscapeControls(strings.TrimSuffix(out.String(), "\n"))
}

// read reads a stub that was edited. The error is of one line.
func read(text string) (model.Stub, error) {
	var s model.Stub
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&s)
	if err == nil && d.Decode(new(any)) != io.EOF {
		err = errors.New("something follows behind the stub")
	}
	if err == nil {
		err = s.Validate()
	}
	return s, told(text, err)
}

// told says an error of JSON the way a person looks for it: by line and key.
func told(text string, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the stub has no end: a bracket or a quote is missing")
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %s", lineAt(text, syntax.Offset), syntax)
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: %q cannot be a %s", lineAt(text, kind.Offset), kind.Field, kind.Value)
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("unknown key %s: a stub has host, protocol, inward, match, answers, repeat and else", name)
	}
	return err
}

// lineAt is the line of the last of so many bytes.
func lineAt(text string, bytes int64) int {
	return 1 + strings.Count(text[:max(0, min(len(text), int(bytes)-1))], "\n")
}

// update takes a key. It returns the stub once it is taken, and whether the editor
// stays open.
func (e *editor) update(k tea.KeyMsg) (taken *model.Stub, open bool) {
	switch {
	case key.Matches(k, keyLeave):
		return nil, false
	case key.Matches(k, keyTake):
		s, err := read(e.area.Value())
		e.err = err
		if err != nil {
			return nil, true
		}
		return &s, false
	}
	e.area, _ = e.area.Update(k)
	_, e.err = read(e.area.Value())
	return nil, true
}

// rect is where the editor lies on a screen.
func (e *editor) rect(width, height int) draw.Rect {
	r := draw.Rect{W: min(width, 100), H: height}
	if height > 20 {
		r.Y, r.H = 1, height-2
	}
	r.X = (width - r.W) / 2
	return r
}

// fit gives the text the room that it has.
func (e *editor) fit(width, height int) {
	if e == nil {
		return
	}
	r := e.rect(width, height)
	e.area.SetWidth(max(1, r.W-4))
	e.area.SetHeight(max(1, r.H-4))
}

// over draws the editor on a picture.
func (e *editor) over(picture string, width, height int) string {
	r := e.rect(width, height)
	at := e.area.LineInfo()
	place := fmt.Sprintf("line %d of %d, column %d", e.area.Line()+1, e.area.LineCount(), at.StartColumn+at.ColumnOffset+1)
	f := draw.Frame{Title: "Stub", Note: place, Width: r.W, Height: r.H, Focused: true}
	w, h := f.Inner()
	state := theme.Good.Render(" "+theme.Ok+" ") + theme.Dim.Render("it is a stub")
	if e.err != nil {
		state = theme.Bad.Render(" " + theme.Failed + " " + draw.Clean(e.err.Error()))
	}
	text := draw.FitLines(" "+strings.ReplaceAll(e.area.View(), "\n", "\n "), w, h-2)
	return draw.Overlay(picture, f.Render(draw.JoinRows(text, state, " "+widget.KeyAndHelp(keyTake)+"   "+widget.KeyAndHelp(keyLeave))), r.X, r.Y)
}
