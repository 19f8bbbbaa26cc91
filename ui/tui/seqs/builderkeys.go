package seqs

import (
	"slices"

	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// onLine returns a condition for keys of the builder: the builder has the focus, and matches returns true for the
// line under its cursor.
func onLine(matches func(*builderLine) bool) condition {
	return condition{Met: func(s *Screen) bool {
		if !s.building() {
			return false
		}
		line := s.builder.current()
		return line != nil && matches(line)
	}}
}

var (
	onAdd   = onLine(func(l *builderLine) bool { return l.adds != "" })
	onUser  = onLine(func(l *builderLine) bool { return l.user })
	onValue = onLine(func(l *builderLine) bool { return l.value != nil })
	onCall  = onLine(func(l *builderLine) bool { return l.adds == "" })
)

// builderRows are the keys of the builder.
var builderRows = slices.Concat(
	[]keymap.Row[*Screen]{
		{Key: keymap.Bind("⏎", "add", "enter"), Needs: []condition{onAdd}, Do: editSteps(addStep)},
		{Key: keymap.Bind("⏎", "next user", "enter"), Needs: []condition{onUser}, Do: func(s *Screen) tea.Cmd {
			return s.builder.nextUser(s.builder.current().call)
		}},
		{Key: keymap.Bind("⏎", "edit", "enter"), Needs: []condition{onValue}, Do: keymap.Act(func(s *Screen) {
			line := s.builder.current()
			s.builder.edit = newEdit(line.call, *line.value)
		})},
		{Key: keymap.Bind("⇧↑", "earlier", "shift+up", "K"), Needs: []condition{onCall}, Do: editSteps(moveEarlier)},
		{Key: keymap.Bind("⇧↓", "later", "shift+down", "J"), Needs: []condition{onCall}, Do: editSteps(moveLater)},
		{Key: keymap.Bind("D", "duplicate"), Needs: []condition{onCall}, Do: editSteps(duplicateStep)},
		{Key: keymap.Bind("x", "remove"), Needs: []condition{onCall}, Do: editSteps(removeStep)},
		{Key: keymap.Bind("esc", "done"), Do: keymap.Act(func(s *Screen) { s.builder.open, s.details.focused = false, false })},
		{Key: keyDry, Needs: []condition{inBuilder}, Do: func(s *Screen) tea.Cmd {
			return s.details.startDryRun(s.builder.row, s.engine, s.player.host.Address())
		}},
	},
	playRows(inBuilder),
	[]keymap.Row[*Screen]{{Key: screen.KeySave, Needs: []condition{inBuilder, hasCalls, canSave}, Do: saveRow}},
	[]keymap.Row[*Screen]{{
		Key:   keymap.Bind("z", "undo", "z", "u"),
		Needs: []condition{{Met: func(s *Screen) bool { return len(s.builder.undo) > 0 }}},
		Do:    func(s *Screen) tea.Cmd { return s.builder.undoLast() },
	}},
	keymap.Each(widget.MoveKeys(), func(s *Screen, k tea.KeyMsg) tea.Cmd {
		s.builder.cursor.Key(k)
		return nil
	}),
)

// inBuilder is the condition that the builder has the focus.
var inBuilder = condition{Met: (*Screen).building}

func acceptValue(s *Screen) tea.Cmd { return s.builder.accept(s.builder.edit.text()) }

func cancelValue(s *Screen) tea.Cmd {
	s.builder.edit = edit{}
	return nil
}

func typeValue(s *Screen, k tea.KeyMsg) tea.Cmd {
	s.builder.edit.typeKey(k)
	return nil
}

// editSteps returns an action that calls change to get new steps of the seq. The cursor moves to the call whose index
// change returns. If the index is negative, nothing changes.
func editSteps(change func([]step, *builderLine) ([]step, int)) func(*Screen) tea.Cmd {
	return func(s *Screen) tea.Cmd {
		b := s.builder
		steps, at := change(slices.Clone(b.row.steps), b.current())
		if at < 0 {
			return nil
		}
		cmd := b.change(steps)
		b.goToCall(at)
		return cmd
	}
}
