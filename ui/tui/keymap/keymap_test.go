package keymap

import (
	"slices"
	"strings"
	"testing"

	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// lamp is a screen with a switch and a text field.
type lamp struct {
	on, typing bool
	plugged    bool
	text       string
	moved      string
}

var (
	plugged = Need[*lamp]{Met: func(l *lamp) bool { return l.plugged }, Why: "it is not plugged in"}
	shining = Need[*lamp]{
		Met:     func(l *lamp) bool { return l.on },
		Why:     "it is dark",
		Explain: func(*lamp) string { return "It is dark: o switches it on" },
	}
)

var lampKeys = Map[*lamp]{
	{
		On:   func(l *lamp) bool { return l.typing },
		Busy: "a name is typed",
		Rows: []Row[*lamp]{{Key: Bind("⏎", "take it", "enter"), Do: Act(func(l *lamp) { l.typing = false })}},
		Rest: func(l *lamp, k tea.KeyMsg) tea.Cmd {
			l.text += k.String()
			return nil
		},
	},
	{Rows: slices.Concat([]Row[*lamp]{
		{
			Key:   Bind("o", "switch it", "o", "space"),
			Needs: []Need[*lamp]{plugged},
			Help: func(l *lamp) string {
				if l.on {
					return "switch it off"
				}
				return "switch it on"
			},
			Do: Act(func(l *lamp) { l.on = !l.on }),
		},
		{
			Key:   Bind("b", "brighter"),
			Needs: []Need[*lamp]{plugged, shining},
			Do:    func(*lamp) tea.Cmd { return screen.ShowStatus("brighter") },
		},
		{Key: Bind("esc", "dark"), Needs: []Need[*lamp]{shining}, Do: Act(func(l *lamp) { l.on = false })},
		{Key: Bind("p", "plug it in"), Needs: []Need[*lamp]{Not(plugged.Met, "")}, Do: Act(func(l *lamp) { l.plugged = true })},
		{Key: Bind("n", "name it"), Do: Act(func(l *lamp) { l.typing = true })},
	}, Hide(Each([]key.Binding{Bind("h", "left"), Bind("l", "right")}, func(l *lamp, k tea.KeyMsg) tea.Cmd {
		l.moved += k.String()
		return nil
	})))},
}

func press(l *lamp, name string) (said string, done bool) {
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	switch name {
	case "esc":
		k = tea.KeyMsg{Type: tea.KeyEsc}
	case "enter":
		k = tea.KeyMsg{Type: tea.KeyEnter}
	}
	cmd, done := lampKeys.Press(l, k)
	if cmd != nil {
		said = cmd().(screen.StatusMessage).Text
	}
	return said, done
}

func TestPress(t *testing.T) {
	l := &lamp{}
	steps := []struct {
		key     string
		message string
		done    bool
		want    lamp
	}{
		{"o", "it is not plugged in", true, lamp{}},
		{"b", "it is not plugged in", true, lamp{}},
		{"esc", "", false, lamp{}},
		{"y", "", false, lamp{}},
		{"p", "", true, lamp{plugged: true}},
		{"p", "", false, lamp{plugged: true}},
		{"b", "It is dark: o switches it on", true, lamp{plugged: true}},
		{"o", "", true, lamp{plugged: true, on: true}},
		{"b", "brighter", true, lamp{plugged: true, on: true}},
		{"esc", "", true, lamp{plugged: true}},
		{"h", "", true, lamp{plugged: true, moved: "h"}},
		{"n", "", true, lamp{plugged: true, moved: "h", typing: true}},
		{"o", "", true, lamp{plugged: true, moved: "h", typing: true, text: "o"}},
		{"enter", "", true, lamp{plugged: true, moved: "h", text: "o"}},
	}
	for i, s := range steps {
		said, done := press(l, s.key)
		if said != s.message || done != s.done || *l != s.want {
			t.Errorf("step %d, %s: said %q, done %v, %+v, want %q, %v, %+v", i, s.key, said, done, *l, s.message, s.done, s.want)
		}
	}
}

// Keys and actions are listed according to their needs, with their current help.
func TestKeysAndActions(t *testing.T) {
	tests := []struct {
		name          string
		lamp          lamp
		keys, actions string
	}{
		{"dark", lamp{}, "p plug it in, n name it", "o: it is not plugged in, b: it is not plugged in, esc: it is dark, p, n"},
		{"plugged in", lamp{plugged: true}, "o switch it on, n name it", "o, b: it is dark, esc: it is dark, n"},
		{"on", lamp{plugged: true, on: true}, "o switch it off, b brighter, esc dark, n name it", "o, b, esc, n"},
		{
			"typing",
			lamp{plugged: true, typing: true},
			"⏎ take it",
			"⏎, o: a name is typed, b: a name is typed, esc: a name is typed, n: a name is typed",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var keys, actions []string
			for _, b := range lampKeys.Keys(&tt.lamp) {
				keys = append(keys, b.Help().Key+" "+b.Help().Desc)
			}
			for _, a := range lampKeys.Actions(&tt.lamp) {
				text := a.Key.Help().Key
				if a.Why != "" {
					text += ": " + a.Why
				}
				actions = append(actions, text)
			}
			if got := strings.Join(keys, ", "); got != tt.keys {
				t.Errorf("keys %s, want %s", got, tt.keys)
			}
			if got := strings.Join(actions, ", "); got != tt.actions {
				t.Errorf("actions %s, want %s", got, tt.actions)
			}
		})
	}
}

func TestListed(t *testing.T) {
	var names []string
	for _, b := range lampKeys.Listed() {
		names = append(names, b.Help().Key)
	}
	if got, want := strings.Join(names, " "), "o b esc p n ⏎"; got != want {
		t.Errorf("listed %s, want %s", got, want)
	}
}

// While another mode is on, rows whose needs are met are listed with the reason in Away.
func TestAway(t *testing.T) {
	m := Map[*lamp]{
		{
			On:   func(l *lamp) bool { return l.on },
			Away: "it is off",
			Rows: []Row[*lamp]{{Key: Bind("b", "brighter"), Needs: []Need[*lamp]{plugged}}},
		},
		{Rows: []Row[*lamp]{{Key: Bind("n", "name it")}}},
	}
	tests := []struct {
		lamp lamp
		want string // why key b does nothing, "" if it has an effect
	}{
		{lamp{}, "it is not plugged in"},
		{lamp{plugged: true}, "it is off"},
		{lamp{plugged: true, on: true}, ""},
	}
	for _, tt := range tests {
		if got := m.Actions(&tt.lamp)[0].Why; got != tt.want {
			t.Errorf("%+v: b does nothing because %q, want %q", tt.lamp, got, tt.want)
		}
	}
}

func TestConflicts(t *testing.T) {
	always := Row[*lamp]{Key: Bind("x", "one")}
	never := Row[*lamp]{Key: Bind("x", "two"), Needs: []Need[*lamp]{shining}}
	m := Map[*lamp]{{Rows: []Row[*lamp]{always, never}}}
	if all := m.Conflicts(&lamp{}); len(all) > 0 {
		t.Errorf("conflicts in the dark: %v", all)
	}
	if all := m.Conflicts(&lamp{on: true}); len(all) != 1 || all[0] != `"x" is for "one" and for "two"` {
		t.Errorf("conflicts %v", all)
	}
	if all := (Map[*lamp]{{On: func(*lamp) bool { return false }}}).Conflicts(&lamp{}); all != nil {
		t.Errorf("conflicts without a mode: %v", all)
	}
}
