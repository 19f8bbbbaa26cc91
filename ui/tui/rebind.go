package tui

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// everywhere is where keys do what others do on every screen.
const everywhere = "everywhere"

// rebound are keys by the screen on which they do what others do: pressed, and meant, as
// bubbletea names them.
type rebound map[string][][2]string

// rebind takes what is right of a person's keys, and says what is wrong.
func rebind(h screen.Preferences, all []screen.Screen) (rebound, []screen.FileProblem) {
	keys, places := rebound{}, []string{everywhere}
	for _, s := range all {
		places = append(places, strings.ToLower(s.Name()))
	}
	var wrong []screen.FileProblem
	for _, k := range h.Keys {
		if text := amiss(k, places); text != "" {
			wrong = append(wrong, screen.FileProblem{File: h.File, Problem: model.Problem{Line: k.Line, Text: text}})
			continue
		}
		keys[k.Screen] = append(keys[k.Screen], [2]string{spelt(k.Key), spelt(k.As)})
	}
	return keys, wrong
}

// amiss says what is wrong with a key, "" for nothing.
func amiss(k userdata.KeyBinding, places []string) string {
	if !slices.Contains(places, k.Screen) {
		return fmt.Sprintf("keys: %.20q is no screen: there are %s", k.Screen, strings.Join(places, ", "))
	}
	for _, name := range []string{k.Key, k.As} {
		if msg := pressed(spelt(name)); msg.Type == tea.KeyRunes && len(msg.Runes) != 1 {
			return fmt.Sprintf("keys: %.20q is no key: write x, space, enter, ctrl+x, alt+left or f5", name)
		}
	}
	return ""
}

// spelt is bubbletea's name of a key.
func spelt(name string) string {
	if name == "space" {
		return " "
	}
	return name
}

// on are those that hold on a screen: its own go before those of everywhere.
func (r rebound) on(s screen.Screen) [][2]string {
	return slices.Concat(r[strings.ToLower(s.Name())], r[everywhere])
}

// meant is the key that a person means by the one that they pressed.
func (r rebound) meant(s screen.Screen, k tea.KeyMsg) tea.KeyMsg {
	for _, pair := range r.on(s) {
		if pair[0] == k.String() {
			return pressed(pair[1])
		}
	}
	return k
}

// named are bindings with the keys that a person has for them.
func (r rebound) named(s screen.Screen, all []key.Binding) []key.Binding {
	pairs := r.on(s)
	if len(pairs) == 0 {
		return all
	}
	out := slices.Clone(all)
	for i, b := range out {
		if name := nameOf(b, pairs); name != "" {
			out[i].SetHelp(name, b.Help().Desc)
		}
	}
	return out
}

// nameOf is the key that a person has for a binding, "" where it is as it was.
func nameOf(b key.Binding, pairs [][2]string) (name string) {
	for _, pair := range pairs {
		if slices.Contains(b.Keys(), pair[1]) {
			name = strings.ReplaceAll(pair[0], " ", "space")
		}
	}
	return name
}

// speak lets a screen name keys in its texts as a person has them there.
func (r rebound) speak(s screen.Screen, do func()) {
	if pairs := r.on(s); len(pairs) > 0 {
		widget.RenameKeys(func(b key.Binding) string { return nameOf(b, pairs) })
		defer widget.RenameKeys(nil)
	}
	do()
}
