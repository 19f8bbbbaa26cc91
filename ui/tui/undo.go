package tui

import (
	"slices"
	"strings"

	"sonde/ui/draw"
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

// follow compares the settings with those after the message before. If byUser is set, it records what has changed as a
// step, and returns the step. It returns nil if nothing has changed.
func (u *undoStack) follow(now map[settingKey]screen.Setting, byUser bool) undoStep {
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
		if k, ok := one.(screen.SettingKeeper); ok {
			for _, is := range k.Settings() {
				all[settingKey{screen.Tab(i), is.ID}] = is
			}
		}
	}
	return all
}

// undo restores the settings before the last step. redo restores the settings after the step that was undone last.
func (a *app) undo() tea.Cmd {
	step := a.undos.move(&a.undos.done, &a.undos.undone)
	cmd := a.restore(step, func(c settingChange) screen.Setting { return c.before })
	a.log.Add("undo: "+step.name(), "")
	return tea.Batch(cmd, screen.ShowStatus("undid: "+step.where(a.screens)+step.name()+"; "+widget.KeyName(screen.KeyRedo)+" does it again"))
}

func (a *app) redo() tea.Cmd {
	step := a.undos.move(&a.undos.undone, &a.undos.done)
	cmd := a.restore(step, func(c settingChange) screen.Setting { return c.after })
	a.log.Add("again: "+step.name(), "")
	return tea.Batch(cmd, screen.ShowStatus("did again: "+step.where(a.screens)+step.name()))
}

// move moves the last step of a list to another one. The list must not be empty.
func (u *undoStack) move(from, to *[]undoStep) undoStep {
	last := len(*from) - 1
	step := (*from)[last]
	*from, *to = (*from)[:last], append(*to, step)
	u.restoring = true
	return step
}

func (a *app) restore(step undoStep, value func(settingChange) screen.Setting) tea.Cmd {
	cmds := make([]tea.Cmd, len(step))
	for i, c := range step {
		cmds[i] = a.screens.update(c.tab, screen.RestoreSetting{Setting: value(c)})
	}
	return tea.Batch(cmds...)
}

// where names the screen of a step, if another screen is visible.
func (s undoStep) where(screens *screenSet) string {
	if tab := s[0].tab; tab != screens.tab {
		return "on " + screens.all[tab].Name() + ", "
	}
	return ""
}

// followSettings records what a message has changed, and adds it to the command log. A filter is recorded when its field loses the focus.
func (a *app) followSettings(msg tea.Msg) {
	if a.spec.opened == nil || a.typing() {
		return
	}
	if step := a.undos.follow(a.screens.settings(), !changesByItself(msg)); step != nil {
		a.log.Add(a.screens.all[step[0].tab].Name()+": "+step.name(), "")
	}
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
