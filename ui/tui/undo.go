package tui

import (
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/tui/commandlog"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// undoStack records the changes of the screens' settings, so that the user can undo and redo them.
type undoStack struct {
	known     map[settingKey]screen.Setting // the settings after the last message
	done      []undoStep                    // the last step is undone first
	undone    []undoStep                    // the last step is redone first
	restoring bool                          // the current message restores a setting, which is no step
}

// settingKey identifies a setting of a screen.
type settingKey struct {
	tab screen.Tab
	id  string
}

// undoStep has the settings that one action of the user changed.
type undoStep []settingChange

// settingChange is a change of one setting.
type settingChange struct {
	tab           screen.Tab
	before, after screen.Setting
}

// maxUndo is the maximum number of steps that can be undone.
const maxUndo = 200

// name describes a step for the user.
func (s undoStep) name() string {
	texts := make([]string, len(s))
	for i, c := range s {
		texts[i] = draw.CutMiddle(draw.Clean(c.after.Text), 60)
	}
	return strings.Join(texts, ", ")
}

// record compares the settings with those after the message before. If byUser is set, it records what has changed as a
// step, and returns the step. It returns nil if nothing has changed.
func (u *undoStack) record(now map[settingKey]screen.Setting, byUser bool) undoStep {
	before := u.known
	u.known = now
	if !byUser || u.restoring {
		u.restoring = false
		return nil
	}
	step := changed(before, now)
	if step == nil {
		return nil
	}
	u.done = append(u.done, step)
	u.done = u.done[max(0, len(u.done)-maxUndo):]
	u.undone = nil
	return step
}

// changed returns the changes of the settings that are in both maps, in the order of the tabs.
func changed(before, now map[settingKey]screen.Setting) (step undoStep) {
	for k, was := range before {
		if is, ok := now[k]; ok && is.Value != was.Value {
			step = append(step, settingChange{tab: k.tab, before: was, after: is})
		}
	}
	slices.SortFunc(step, func(a, b settingChange) int {
		if a.tab != b.tab {
			return int(a.tab - b.tab)
		}
		return strings.Compare(a.before.ID, b.before.ID)
	})
	return step
}

// settings returns the settings of all screens.
func (s *screenSet) settings() map[settingKey]screen.Setting {
	all := map[settingKey]screen.Setting{}
	for i, one := range s.all {
		k, ok := one.(screen.Keeper)
		if !ok || k.Kept().Settings == nil {
			continue
		}
		for _, is := range k.Kept().Settings() {
			all[settingKey{screen.Tab(i), is.ID}] = is
		}
	}
	return all
}

// undoer undoes and redoes changes of the screens' settings, and adds all changes to the command log.
type undoer struct {
	undoStack
	screens *screenSet
	log     *commandlog.Log
}

// follow records what a message has changed, if the user has caused it.
func (u *undoer) follow(byUser bool) {
	if step := u.record(u.screens.settings(), byUser); step != nil {
		u.log.Add(u.screens.all[step[0].tab].Name()+": "+step.name(), "")
	}
}

// undo restores the settings before the last step. redo restores the settings after the step that was undone last.
func (u *undoer) undo() tea.Cmd {
	step := u.move(&u.done, &u.undone)
	u.log.Add("undo: "+step.name(), "")
	cmd := u.restore(step, func(c settingChange) screen.Setting { return c.before })
	text := "undid: " + u.where(step) + step.name() + "; " + widget.KeyName(screen.KeyRedo) + " does it again"
	return tea.Batch(cmd, screen.ShowStatus(text))
}

func (u *undoer) redo() tea.Cmd {
	step := u.move(&u.undone, &u.done)
	u.log.Add("again: "+step.name(), "")
	cmd := u.restore(step, func(c settingChange) screen.Setting { return c.after })
	return tea.Batch(cmd, screen.ShowStatus("did again: "+u.where(step)+step.name()))
}

// move moves the last step of a list to another one. The list must not be empty.
func (u *undoStack) move(from, to *[]undoStep) undoStep {
	last := len(*from) - 1
	step := (*from)[last]
	*from, *to = (*from)[:last], append(*to, step)
	u.restoring = true
	return step
}

func (u *undoer) restore(step undoStep, value func(settingChange) screen.Setting) tea.Cmd {
	cmds := make([]tea.Cmd, len(step))
	for i, c := range step {
		cmds[i] = u.screens.update(c.tab, screen.RestoreSetting{Setting: value(c)})
	}
	return tea.Batch(cmds...)
}

// where names the screen of a step, if another screen is visible.
func (u *undoer) where(s undoStep) string {
	if tab := s[0].tab; tab != u.screens.tab {
		return "on " + u.screens.all[tab].Name() + ", "
	}
	return ""
}

// changesByItself reports whether a message may change settings without an action of the user: a spec that was read
// loses the picks that it no longer has, and a run reports its parameters.
func changesByItself(msg tea.Msg) bool {
	switch msg.(type) {
	case specRead, screen.RunProgress:
		return true
	}
	return false
}
