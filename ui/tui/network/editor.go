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

// editor is a box in which the user edits a stub as JSON.
type editor struct {
	area textarea.Model
	old  *model.Stub // the stub to replace, nil for none
	err  error       // the error in the current text
}

// maxEdited is the maximum size of a stub that can be edited, in bytes.
const maxEdited = 32 << 10

// newEditor returns an editor for a stub. When the user saves the stub, it replaces the stub old, unless old is nil.
// newEditor returns an error if the stub is too large.
func newEditor(s model.Stub, old *model.Stub) (*editor, error) {
	text := stubJSON(s)
	if len(text) > maxEdited {
		return nil, fmt.Errorf(
			"the stub of %.60q is too large for this editor: write it to a file, for sonde search --net --stubs",
			s.Host,
		)
	}
	e := &editor{area: widget.TextArea(text), old: old}
	return e, nil
}

// stubJSON returns a stub as indented JSON with escaped control characters.
func stubJSON(s model.Stub) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		return "" // cannot happen: a stub has only texts and numbers
	}
	return widget.EscapeControls(strings.TrimSuffix(out.String(), "\n"))
}

// parseStub parses a stub from JSON. The error fits on one line.
func parseStub(text string) (model.Stub, error) {
	var s model.Stub
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&s)
	if err == nil && d.Decode(new(any)) != io.EOF {
		err = errors.New("there is text after the end of the stub: remove it")
	}
	if err == nil {
		err = s.Validate()
	}
	return s, explainJSON(text, err)
}

// explainJSON rewords an error of package json, and adds the line or the key. It returns other errors
// unchanged.
func explainJSON(text string, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the stub is incomplete: a bracket or a quote is missing")
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %w", lineAt(text, syntax.Offset), syntax)
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: %q cannot be a %s", lineAt(text, kind.Offset), kind.Field, kind.Value)
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("unknown key %s: a stub has host, protocol, inward, match, answers, repeat and else", name)
	}
	return err
}

// lineAt returns the number of the line that contains byte n of text. Lines and bytes are counted from 1.
func lineAt(text string, n int64) int {
	return 1 + strings.Count(text[:max(0, min(len(text), int(n)-1))], "\n")
}

// update handles a key. saved is the stub that the user saved, if any, and open reports whether the editor
// stays open.
func (e *editor) update(k tea.KeyMsg) (saved *model.Stub, open bool) {
	switch {
	case key.Matches(k, keyCancel):
		return nil, false
	case key.Matches(k, keySave):
		s, err := parseStub(e.area.Value())
		e.err = err
		if err != nil {
			return nil, true
		}
		return &s, false
	}
	e.area, _ = e.area.Update(k)
	_, e.err = parseStub(e.area.Value())
	return nil, true
}

// rect returns the rectangle of the box on a screen.
func (e *editor) rect(width, height int) draw.Rect {
	r := draw.Rect{W: min(width, 100), H: height}
	if height > 20 {
		r.Y, r.H = 1, height-2
	}
	r.X = (width - r.W) / 2
	return r
}

// fit adapts the text area to the size of the screen. The editor may be nil.
func (e *editor) fit(width, height int) {
	if e == nil {
		return
	}
	r := e.rect(width, height)
	e.area.SetWidth(max(1, r.W-4))
	e.area.SetHeight(max(1, r.H-4))
}

// over draws the editor over a picture.
func (e *editor) over(picture string, width, height int) string {
	r := e.rect(width, height)
	at := e.area.LineInfo()
	column := at.StartColumn + at.ColumnOffset + 1
	place := fmt.Sprintf("line %d of %d, column %d", e.area.Line()+1, e.area.LineCount(), column)
	f := draw.Frame{Title: "Stub", Note: place, Width: r.W, Height: r.H, Focused: true}
	w, h := f.Inner()
	state := theme.Good.Render(" "+theme.Ok+" ") + theme.Dim.Render("this is a valid stub")
	if e.err != nil {
		state = theme.Bad.Render(" " + theme.Failed + " " + draw.Clean(e.err.Error()))
	}
	text := draw.FitLines(" "+strings.ReplaceAll(e.area.View(), "\n", "\n "), w, h-2)
	keys := " " + widget.KeyAndHelp(keySave) + "   " + widget.KeyAndHelp(keyCancel)
	return draw.Overlay(picture, f.Render(draw.JoinRows(text, state, keys)), r.X, r.Y)
}
