package seqs

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// builder is the editor of a seq. Its lines are the calls with their values, and operations that the user
// can add. These operations provide an unbound value, or take a value from a call of the seq.
type builder struct {
	engine  *screen.Engine
	catalog *catalog
	picks   *selection

	row    *row // the row that the user edits, nil before the first one
	open   bool // the builder replaces the row's details
	cursor widget.List
	undo   [][]step // the steps before each change
	edit   edit
	users  []string // the configured users, nil until they are known
}

// start sets the row to edit, and clears the undo history. The builder stays closed.
func (b *builder) start(r *row) {
	b.row, b.open, b.cursor, b.undo, b.edit = r, false, widget.List{}, nil, edit{}
}

// closeOn closes the builder if r is the row that it edits.
func (b *builder) closeOn(r *row) { b.open = b.open && b.row != r }

// mouse moves the cursor by some lines or, if clicked is true, to the line that is y lines below the first visible
// line. It does nothing while the user types.
func (b *builder) mouse(by int, clicked bool, y int) {
	if b.edit.open() {
		return
	}
	b.cursor.Go(b.cursor.At + by)
	if clicked {
		b.cursor.Click(y)
	}
}

// nextUser gives a call the next user. After the last user, the call is anonymous.
func (b *builder) nextUser(at int) tea.Cmd {
	all := append([]string{""}, b.users...)
	steps, call := slices.Clone(b.row.steps), b.row.draft().Calls[at]
	call.User = all[(slices.Index(all, call.User)+1)%len(all)]
	steps[at].call = &call
	return b.change(steps)
}

// accept stores the typed text as the value that is being edited. A value outside the body is then no longer linked
// to another call.
func (b *builder) accept(text string) tea.Cmd {
	e := b.edit
	b.edit = edit{}
	d := b.row.draft()
	if d == nil || e.unchangedBytes(d.Calls[e.call]) {
		return nil
	}
	steps := slices.Clone(b.row.steps)
	st, call := &steps[e.call], e.value.applyTo(d.Calls[e.call], text)
	st.call = &call
	if e.value.name != "" {
		st.typed = append(slices.Clone(st.typed), valuePlace(e.value.in, e.value.name))
	}
	return b.change(steps)
}

// append adds a call to the seq, and shows which of its values are unbound.
func (b *builder) append(op model.OpID) tea.Cmd {
	cmd := b.change(append(slices.Clone(b.row.steps), step{op: op}))
	seq := b.row.Seq
	text := fmt.Sprintf("%s is call %d of %s", op, len(seq), b.row.ID)
	for _, n := range b.catalog.links.needs(seq)[len(seq)-1] {
		if n.from < 0 {
			text += fmt.Sprintf("; %s is unbound: %s provides it", n.name, n.providers[0])
		}
	}
	return tea.Batch(cmd, screen.ShowStatus(text))
}

// change gives the row other steps and removes its answers, because they belong to the old steps. The user can undo
// the change. change reports the picks to the other screens. If the row has no values yet, it does so only after
// outline has made them.
func (b *builder) change(steps []step) tea.Cmd {
	r := b.row
	b.undo = append(b.undo, r.steps)
	if seq := seqOfSteps(steps); !slices.Equal(seq, r.Seq) {
		r.SeqItem = b.catalog.newRow(screen.SeqItem{ID: r.ID, Origin: r.Origin, Seq: seq, Stubs: r.Stubs}).SeqItem
		r.plain = nil
	}
	r.steps, r.Test, r.replayed = steps, nil, nil
	r.Draft = r.changedDraft()
	if r.plain != nil {
		return b.picks.changed()
	}
	return b.outline(r)
}

// undoLast undoes the last change.
func (b *builder) undoLast() tea.Cmd {
	last := len(b.undo) - 1
	cmd := b.change(b.undo[last])
	b.undo = b.undo[:last]
	return cmd
}

// outlined is sent when outline has made a test of a row's seq.
type outlined struct {
	row   *row
	test  model.Test
	users []string // the configured users
	err   error
}

// outline makes a test of a row's seq with the simplest values, in the background. It does nothing if the row
// has this test already or the seq is empty.
func (b *builder) outline(r *row) tea.Cmd {
	if r.plain != nil || len(r.Seq) == 0 {
		return nil
	}
	engine, seq := b.engine, r.Seq
	return func() tea.Msg {
		t, err := engine.Seqs.Prepare(seq)
		return outlined{row: r, test: t, users: engine.Seqs.Users(), err: err}
	}
}

// outlined stores the test from outline and reports the picks. It drops the test if the operations of the row
// have changed since.
func (b *builder) outlined(msg outlined) tea.Cmd {
	r := msg.row
	switch {
	case msg.err != nil:
		return tea.Batch(b.picks.changed(), screen.ShowError(msg.err))
	case !slices.Equal(msg.test.Seq(), r.Seq):
		return nil
	}
	r.plain, b.users = &msg.test, msg.users
	r.Draft = r.changedDraft()
	return b.picks.changed()
}

// setUsers stores the configured users, and replaces the callers in the tests from outline; see CallerFor.
func (b *builder) setUsers(msg screen.UsersChanged) {
	b.users = msg.Names
	for _, r := range b.catalog.made {
		if r.plain != nil {
			t := *r.plain
			t.Calls = msg.ReplaceCallers(t.Calls)
			r.plain = &t
		}
	}
}
