package search

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// ways are the settings that cannot be changed once a run has begun. What else
// the command line has, few change.
var ways = []field{
	workers(),
	portion("minimise", "of the budget make tests smaller", mostMinimise, func(s *screen.Settings) *float64 { return &s.Minimise }),
	portion("invalid", "of new tests have a wrong value", 1, func(s *screen.Settings) *float64 { return &s.Sampling.Invalid }),
	portion("distilled", "of templates are distilled seqs", 1, func(s *screen.Settings) *float64 { return &s.Sampling.Distilled }),
}

// mostMinimise leaves something to search with.
const mostMinimise = 0.5

// workers is the setting of how many tests are played at once.
func workers() field {
	scale := scale{least: 1, most: model.MaxCount, coarse: 1, fine: 1, digits: 0}
	return field{
		name: "workers", what: "tests at once, a service for each",
		show: func(s screen.Settings) string { return strings.TrimSpace(scale.show(float64(s.Workers))) },
		parse: func(s *screen.Settings, text string) error {
			n, err := scale.parse(text)
			if err == nil {
				s.Workers = int(n)
			}
			return err
		},
		turn: func(s *screen.Settings, small, up bool) { s.Workers = int(scale.turn(float64(s.Workers), small, up)) },
	}
}

// white is the setting whether the search sees into the service.
func white(sight screen.Sight) field {
	what := "build it with probes and see into it"
	if sight == screen.Sees {
		what = "let what it sees of the source lead it"
	}
	return toggle("white-box", what, func(s *screen.Settings) *bool { return &s.White })
}

// virtual is the setting whether the service has a virtual network.
var virtual = toggle("network", "put a virtual one under it: 7 shows it", func(s *screen.Settings) *bool { return &s.Net })

// toggle is a setting that is on or off.
func toggle(name, what string, of func(*screen.Settings) *bool) field {
	return field{
		name: name, what: what,
		show: func(s screen.Settings) string { return yesNo(*of(&s)) },
		parse: func(s *screen.Settings, text string) error {
			if text != "yes" && text != "no" {
				return fmt.Errorf("%q is neither yes nor no", text)
			}
			*of(s) = text == "yes"
			return nil
		},
		turn: func(s *screen.Settings, _, up bool) { *of(s) = up },
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// portion is a setting from 0 to a most.
func portion(name, what string, most float64, of func(*screen.Settings) *float64) field {
	scale := scale{least: 0, most: most, coarse: coarse, fine: fine, digits: 2}
	return field{
		name: name, what: what,
		show:  func(s screen.Settings) string { return strings.TrimSpace(scale.show(*of(&s))) },
		share: func(s screen.Settings) float64 { return scale.share(*of(&s)) },
		parse: func(s *screen.Settings, text string) error {
			v, err := scale.parse(text)
			if err == nil {
				*of(s) = v
			}
			return err
		},
		turn: func(s *screen.Settings, small, up bool) { *of(s) = scale.turn(*of(s), small, up) },
	}
}
