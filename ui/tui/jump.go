package tui

import (
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// jump is an overlay with a label of one or two letters on each target of the screen. The cursor jumps to
// the target whose label the user types.
type jump struct {
	visible func() screen.Screen
	targets []screen.PointAt // the targets for which the labels were made
	labels  []string         // the labels of the targets, in the same order
	typed   string
}

// newJump returns the overlay, or nil if the screen has no targets.
func newJump(visible func() screen.Screen) overlay {
	all := targets(visible())
	if len(all) == 0 {
		return nil
	}
	return &jump{visible: visible, targets: all, labels: labels(len(all))}
}

// targets returns the cells of a screen to which the user can jump.
func targets(s screen.Screen) []screen.PointAt {
	if p, ok := s.(screen.PointTargeter); ok {
		return p.Targets()
	}
	return nil
}

// letters are the letters of labels, the easiest to type first.
const letters = "asdfghjklqwertyuiopzxcvbnm"

// labels returns n different labels. A label has one letter if there are enough letters for n labels, otherwise two
// letters. If there are not enough pairs of letters, labels returns fewer than n labels.
func labels(n int) []string {
	var out []string
	for _, a := range letters {
		if n <= len(letters) {
			out = append(out, string(a))
			continue
		}
		for _, b := range letters {
			out = append(out, string(a)+string(b))
		}
	}
	return out[:min(n, len(out))]
}

func (j *jump) update(msg tea.Msg) (overlay, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return j.press(msg)
	case tea.MouseMsg:
		return nil, nil
	}
	if !slices.Equal(j.targets, targets(j.visible())) { // the labels would be on other targets
		return nil, nil
	}
	return j, nil
}

// press handles a key that closes the labels, or a letter. It ignores a letter if no label begins with the letters
// typed before and this one.
func (j *jump) press(k tea.KeyMsg) (overlay, tea.Cmd) {
	if key.Matches(k, keyClose) {
		return nil, nil
	}
	typed := j.typed + strings.ToLower(string(k.Runes))
	for i, l := range j.labels {
		if l == typed {
			to := j.targets[i]
			return nil, func() tea.Msg { return to }
		}
		if strings.HasPrefix(l, typed) {
			j.typed = typed
			return j, nil
		}
	}
	return j, nil
}

func (j *jump) over(picture string, _, _ int) string {
	rows := strings.Split(picture, "\n")
	for i, l := range j.labels {
		at := j.targets[i]
		if rest, fits := strings.CutPrefix(l, j.typed); fits && at.Y < len(rows) {
			rows[at.Y] = draw.Overlay(rows[at.Y], theme.Selected.Render(rest), at.X, 0)
		}
	}
	return strings.Join(rows, "\n")
}

func (j *jump) keys() []key.Binding { return []key.Binding{keyClose} }
