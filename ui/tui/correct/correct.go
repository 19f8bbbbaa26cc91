// Package correct is a box in which the user corrects the kind or the identity of a value. The identity names what
// the value is, such as customer.id: uses with the same identity are the same value. It writes the correction into
// the configuration. It does not analyze the spec again.
package correct

import (
	"errors"
	"strings"
	"unicode"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Subject is the value to correct, in one of the operations that use it.
type Subject struct {
	Analyzed *screen.AnalyzedSpec
	Op       *model.Operation
	Use      match.ValueUse
}

// Kept is sent after a correction was written or, if Removed is true, removed. Path is the configuration
// file.
type Kept struct {
	Correction model.ValueCorrection
	Removed    bool
	Path       string
}

// Box is the form for a correction. Its methods must be called by one goroutine.
type Box struct {
	keep    usecase.ValueCorrections
	subject Subject
	applied []match.AppliedCorrection // the corrections that apply to the value
	scopes  []scope
	found   survey
	form    *widget.Form[draft]
	err     error // error of the last attempt to save
	busy    bool  // a correction is being written
	closed  bool
}

// draft is the state of the form: the kind, the identity and the scope of the correction.
type draft struct {
	kind  model.ValueKind
	is    string
	scope string // the name of a scope
}

// failed is sent when a correction could not be written or removed.
type failed struct{ err error }

// New returns the box for a value, and the tea.Cmd that collects the identities of values.
func New(keep usecase.ValueCorrections, s Subject) (*Box, tea.Cmd) {
	b := &Box{keep: keep, subject: s, applied: s.Analyzed.Matcher.CorrectionsOf(s.Op, s.Use)}
	b.scopes = scopesOf(s, b.applied)
	d := draft{kind: s.Use.Kind, is: s.Use.ID, scope: b.scopes[0].name}
	for _, sc := range b.scopes {
		if n := len(b.applied); sc.now != nil && sc.now.HasScopeOf(b.applied[n-1].ValueCorrection) {
			d.scope = sc.name
		}
	}
	b.form = widget.NewForm(d, b.fields)
	scopes := b.scopes
	return b, func() tea.Msg { return surveyOf(s.Analyzed, scopes) }
}

// Update handles a message. It reports whether the box stays open. Keys have no effect while a correction
// is being written.
func (b *Box) Update(msg tea.Msg) (open bool, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case survey:
		b.found = msg
	case failed:
		b.busy, b.err = false, msg.err
	case Kept:
		return false, nil
	case tea.KeyMsg:
		if b.busy {
			return true, nil
		}
		b.err = nil
		cmd, _ = keys.Press(b, msg)
	}
	return !b.closed, cmd
}

// scope returns the scope that the user has chosen.
func (b *Box) scope() scope {
	for _, s := range b.scopes {
		if s.name == b.form.Typed.scope {
			return s
		}
	}
	return b.scopes[0]
}

// save writes the correction of the form. If the form has the kind and identity of the value without a
// correction, save removes the existing correction instead.
func (b *Box) save() tea.Cmd {
	d, s := b.form.Typed, b.scope()
	if d.is != b.subject.Use.ID {
		d.is = strings.TrimSpace(d.is)
		b.err = checkIdentity(d.is)
	}
	if b.err != nil {
		return nil
	}
	c := s.correction()
	if d.kind != s.base.Kind {
		c.Kind = d.kind
	}
	if d.is != s.base.ID {
		c.Is = d.is
	}
	switch {
	case c.Kind != "" || c.Is != "":
		return b.write(Kept{Correction: c}, b.keep.Put)
	case s.now != nil:
		return b.remove()
	}
	b.err = errors.New("the value has this kind and identity already: choose another one")
	return nil
}

// checkIdentity returns an error if a text is not a valid identity.
func checkIdentity(text string) error {
	switch {
	case text == "":
		return errors.New("the identity is empty: type one, such as customer.id")
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return errors.New("an identity has no blanks: type one such as customer.id")
	}
	return nil
}

// remove removes the correction in the chosen scope.
func (b *Box) remove() tea.Cmd {
	return b.write(Kept{Correction: *b.scope().now, Removed: true}, b.keep.Remove)
}

// write calls store, which changes the configuration. After that it sends the message change.
func (b *Box) write(change Kept, store func(model.ValueCorrection) (string, error)) tea.Cmd {
	b.busy = true
	return func() (msg tea.Msg) {
		path, err := store(change.Correction)
		if err != nil {
			return failed{err}
		}
		change.Path = path
		return change
	}
}

// next moves to the next field. Enter on the last field saves the correction.
func (b *Box) next(k tea.KeyMsg) tea.Cmd {
	if k.Type == tea.KeyEnter && b.form.OnLast() {
		return b.save()
	}
	b.form.Move(1)
	return nil
}

// choose selects the next choice of the field under the cursor or, for the left key, the previous one.
func (b *Box) choose(k tea.KeyMsg) tea.Cmd {
	step := 1
	if k.Type == tea.KeyLeft {
		step = -1
	}
	b.form.Choose(step)
	return nil
}

// complete replaces the identity by the first completion.
func (b *Box) complete() { b.form.Complete(b.form.Completions()[0]) }
