package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// What a run does unless the person says otherwise.
const (
	defaultCalls = 20000
	defaultSeed  = 1
)

// form holds the settings of the next run.
type form struct {
	settings screen.Settings
	fields   []field
	list     pane.List
	input    *textinput.Model // while a value is being typed
	err      error            // what is wrong with what was typed, or why the last start failed
}

func newForm(host screen.Host) form {
	sight := host.Sight
	f := form{fields: fields, settings: screen.Settings{
		Limits: model.Limits{Calls: defaultCalls}, Tuning: model.DefaultTuning(), Seed: defaultSeed,
		Workers: 1, Minimise: model.DefaultMinimise, Sampling: model.DefaultSampling(), White: sight >= screen.WantsSee,
		Net: host.Net == screen.WantsNet,
	}}
	var more []field
	if sight != screen.NoSight {
		more = append(more, white(sight))
	}
	if host.Net != screen.NoNet {
		more = append(more, virtual)
	}
	f.fields = slices.Insert(slices.Clip(fields), len(bounds), more...)
	return f
}

func (f form) typing() bool { return f.input != nil }

// field is one setting.
type field struct {
	name, symbol, what string
	show               func(screen.Settings) string
	parse              func(*screen.Settings, string) error
	turn               func(s *screen.Settings, small, up bool)
	share              func(screen.Settings) float64 // of the slider; nil where there is none
}

var fields = slices.Concat(bounds, tunings(), ways)

var bounds = []field{
	{
		name: "calls", what: "requests at most, resets included",
		show: func(s screen.Settings) string { return words.Count(s.Limits.Calls) },
		parse: func(s *screen.Settings, text string) error {
			n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
			if err != nil || n < 1 {
				return fmt.Errorf("%q is no number of calls: type one from 1 up", text)
			}
			s.Limits.Calls = n
			return nil
		},
		turn: func(s *screen.Settings, small, up bool) {
			s.Limits.Calls = nextCalls(s.Limits.Calls, small, up)
		},
	},
	{
		name: "seed", what: "the same seed makes the same choices",
		show: func(s screen.Settings) string { return strconv.FormatUint(s.Seed, 10) },
		parse: func(s *screen.Settings, text string) error {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return fmt.Errorf("%q is no seed: type a whole number from 0 up", text)
			}
			s.Seed = n
			return nil
		},
		turn: func(s *screen.Settings, _, up bool) {
			switch {
			case up:
				s.Seed++
			case s.Seed > 0:
				s.Seed--
			}
		},
	},
}

// tunings makes a field of each knob.
func tunings() []field {
	var out []field
	for i := range knobs {
		k := &knobs[i]
		out = append(out, field{
			name: k.name, symbol: k.symbol, what: k.what,
			share: func(s screen.Settings) float64 { return k.share(k.get(s.Tuning)) },
			show:  func(s screen.Settings) string { return strings.TrimSpace(k.show(k.get(s.Tuning))) },
			parse: func(s *screen.Settings, text string) error {
				v, err := k.parse(text)
				if err == nil {
					s.Tuning = s.Tuning.With(model.Turn{Knob: k.id, Value: v})
				}
				return err
			},
			turn: func(s *screen.Settings, small, up bool) {
				s.Tuning = s.Tuning.With(model.Turn{Knob: k.id, Value: k.turn(k.get(s.Tuning), small, up)})
			},
		})
	}
	return out
}

// budgets are the steps for the number of calls.
var budgets = []int{100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000}

// nextCalls is the next budget up or down, or 100 calls more or less.
func nextCalls(n int, small, up bool) int {
	switch {
	case small && up:
		return n + 100
	case small:
		return max(1, n-100)
	}
	best := n
	for _, b := range budgets {
		if up && b > n {
			return b
		}
		if !up && b < n {
			best = b
		}
	}
	return best
}

// key takes a key that is the form's, and reports whether it was.
func (f *form) key(msg tea.KeyMsg) bool {
	if f.list.Key(msg) {
		return true
	}
	at := f.fields[f.list.At]
	switch {
	case key.Matches(msg, keyMore, keyLess):
		at.turn(&f.settings, false, key.Matches(msg, keyMore))
	case key.Matches(msg, keyFineMore, keyFineLess):
		at.turn(&f.settings, true, key.Matches(msg, keyFineMore))
	case key.Matches(msg, keyType):
		f.edit(at)
	default:
		return false
	}
	return true
}

// edit opens a text field on a setting. What is typed takes the old value's
// place; nothing typed leaves it.
func (f *form) edit(at field) {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = 20
	input.Cursor.SetMode(cursor.CursorStatic)
	input.Placeholder = at.show(f.settings)
	input.Width = input.CharLimit
	input.Focus()
	f.input, f.err = &input, nil
}

// typed takes a key while a value is being typed.
func (f *form) typed(msg tea.KeyMsg) {
	switch {
	case key.Matches(msg, keyCancel):
		f.input, f.err = nil, nil
	case key.Matches(msg, keyAccept):
		f.accept(strings.TrimSpace(f.input.Value()))
	default:
		input, _ := f.input.Update(msg)
		f.input = &input
	}
}

// accept takes over what was typed; what is no value stays to be mended.
func (f *form) accept(text string) {
	f.err = nil
	if text != "" {
		f.err = f.fields[f.list.At].parse(&f.settings, text)
	}
	if f.err == nil {
		f.input = nil
	}
}
