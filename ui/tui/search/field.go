package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/words"
)

// field is a line of the form: one setting.
type field struct {
	name, symbol, meaning string
	show                  func(usecase.SearchSettings) string
	parse                 func(*usecase.SearchSettings, string) error
	adjust                func(*usecase.SearchSettings, adjustment)
	share                 func(usecase.SearchSettings) float64 // the position of the slider; nil for a setting without a slider
	slide                 func(*usecase.SearchSettings, float64)
	flip                  func(*usecase.SearchSettings) // the other value of a setting that is on or off; nil for others
}

var fields = slices.Concat(bounds, tunings(), fixed)

var bounds = []field{
	{
		name: "calls", meaning: "requests at most, resets included",
		show: func(s usecase.SearchSettings) string { return words.Count(s.Limits.Calls) },
		parse: func(s *usecase.SearchSettings, text string) error {
			n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
			if err != nil || n < 1 {
				return fmt.Errorf("%q is not a number of calls: type 1 or more", text)
			}
			s.Limits.Calls = n
			return nil
		},
		adjust: func(s *usecase.SearchSettings, a adjustment) {
			s.Limits.Calls = nextCalls(s.Limits.Calls, a)
		},
	},
	{
		name: "seed", meaning: "the same seed, the same choices",
		show: func(s usecase.SearchSettings) string { return strconv.FormatUint(s.Seed, 10) },
		parse: func(s *usecase.SearchSettings, text string) error {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return fmt.Errorf("%q is not a seed: type a whole number from 0", text)
			}
			s.Seed = n
			return nil
		},
		adjust: func(s *usecase.SearchSettings, a adjustment) {
			switch {
			case a.up:
				s.Seed++
			case s.Seed > 0:
				s.Seed--
			}
		},
	},
}

// tunings returns a field for each knob.
func tunings() []field {
	var out []field
	for i := range knobs {
		k := &knobs[i]
		out = append(out, field{
			name: k.name, symbol: k.symbol, meaning: k.meaning,
			share: func(s usecase.SearchSettings) float64 { return k.share(k.get(s.Tuning)) },
			slide: func(s *usecase.SearchSettings, share float64) {
				s.Tuning = s.Tuning.WithChange(model.TuningChange{Knob: k.id, Value: k.at(share)})
			},
			show: func(s usecase.SearchSettings) string { return strings.TrimSpace(k.show(k.get(s.Tuning))) },
			parse: func(s *usecase.SearchSettings, text string) error {
				v, err := k.parse(text)
				if err == nil {
					s.Tuning = s.Tuning.WithChange(model.TuningChange{Knob: k.id, Value: v})
				}
				return err
			},
			adjust: func(s *usecase.SearchSettings, a adjustment) {
				s.Tuning = s.Tuning.WithChange(model.TuningChange{Knob: k.id, Value: k.adjusted(k.get(s.Tuning), a)})
			},
		})
	}
	return out
}

// budgets are the values of the budget, in calls, that coarse steps select.
var budgets = []int{100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000}

// nextCalls returns the next larger or smaller budget, or n if there is none. A fine step is 100 calls.
func nextCalls(n int, a adjustment) int {
	switch {
	case a.fine && a.up:
		return n + 100
	case a.fine:
		return max(1, n-100)
	}
	best := n
	for _, b := range budgets {
		if a.up && b > n {
			return b
		}
		if !a.up && b < n {
			best = b
		}
	}
	return best
}

// fixed are the settings that cannot change during a run. The command line has further settings, which are
// rarely changed.
var fixed = []field{
	workers(),
	portion("minimise", "of the budget make tests smaller", maxMinimise, func(s *usecase.SearchSettings) *float64 { return &s.Minimise }),
	portion("invalid", "of new tests have a wrong value", 1, func(s *usecase.SearchSettings) *float64 { return &s.Sampling.Invalid }),
	portion("distilled", "of templates are distilled seqs", 1, func(s *usecase.SearchSettings) *float64 { return &s.Sampling.Distilled }),
	toggle("security", "look for broken access, injections", func(s *usecase.SearchSettings) *bool { return &s.Security }),
}

// maxMinimise is the maximum share of the budget for minimising. The search needs the rest.
const maxMinimise = 0.5

// workers returns the setting of the number of tests that are played in parallel.
func workers() field {
	scale := scale{low: 1, high: model.MaxCount, coarse: 1, fine: 1, digits: 0}
	return field{
		name: "workers", meaning: "tests at once, a service for each",
		show: func(s usecase.SearchSettings) string { return strings.TrimSpace(scale.show(float64(s.Workers))) },
		parse: func(s *usecase.SearchSettings, text string) error {
			n, err := scale.parse(text)
			if err == nil {
				s.Workers = int(n)
			}
			return err
		},
		adjust: func(s *usecase.SearchSettings, a adjustment) {
			s.Workers = int(scale.adjusted(float64(s.Workers), a))
		},
	}
}

// whiteBox returns the setting with which a search measures the coverage of the service's source.
func whiteBox(probes usecase.ProbeSupport) field {
	meaning := "add probes to its source"
	if probes == usecase.ProbesAlways {
		meaning = "cover its source, too"
	}
	return toggle("white-box", meaning, func(s *usecase.SearchSettings) *bool { return &s.WhiteBox })
}

// virtualNetwork is the setting that runs the service in a virtual network.
var virtualNetwork = toggle("network", "a virtual one: 7 shows it", func(s *usecase.SearchSettings) *bool { return &s.Net })

// toggle returns a setting that is on or off.
func toggle(name, meaning string, of func(*usecase.SearchSettings) *bool) field {
	return field{
		name: name, meaning: meaning,
		show: func(s usecase.SearchSettings) string { return yesNo(*of(&s)) },
		parse: func(s *usecase.SearchSettings, text string) error {
			if text != "yes" && text != "no" {
				return fmt.Errorf("%q is neither yes nor no", text)
			}
			*of(s) = text == "yes"
			return nil
		},
		adjust: func(s *usecase.SearchSettings, a adjustment) { *of(s) = a.up },
		flip:   func(s *usecase.SearchSettings) { *of(s) = !*of(s) },
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// portion returns a setting that is a share from 0 to high.
func portion(name, meaning string, high float64, of func(*usecase.SearchSettings) *float64) field {
	scale := scale{low: 0, high: high, coarse: coarse, fine: fine, digits: 2}
	return field{
		name: name, meaning: meaning,
		show:  func(s usecase.SearchSettings) string { return strings.TrimSpace(scale.show(*of(&s))) },
		share: func(s usecase.SearchSettings) float64 { return scale.share(*of(&s)) },
		slide: func(s *usecase.SearchSettings, share float64) { *of(s) = scale.at(share) },
		parse: func(s *usecase.SearchSettings, text string) error {
			v, err := scale.parse(text)
			if err == nil {
				*of(s) = v
			}
			return err
		},
		adjust: func(s *usecase.SearchSettings, a adjustment) { *of(s) = scale.adjusted(*of(s), a) },
	}
}
