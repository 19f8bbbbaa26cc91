package searchrun

import (
	"strconv"

	"sonde/model"
)

// knobArgs returns the arguments for a tuning.
func knobArgs(t model.Tuning) []string {
	share := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	line := []string{"--smart", share(t.Smart), "--random", share(t.Random), "--focus", share(t.Focus)}
	usual := model.DefaultTuning()
	if t.Population != usual.Population {
		line = append(line, "--population", strconv.Itoa(t.Population))
	}
	if t.Mutations != usual.Mutations {
		line = append(line, "--mutations", strconv.Itoa(t.Mutations))
	}
	return line
}

// samplingArgs returns the fewest arguments that give a sampling: the name of a strategy, unless it is the default,
// and the settings that differ from this strategy.
func samplingArgs(s model.Sampling) []string {
	var fewest []string
	for i, strategy := range model.Strategies() {
		usual, _ := strategy.Sampling()
		var line []string
		if strategy != model.StrategyDefault {
			line = []string{"--strategy", string(strategy)}
		}
		for _, f := range model.SamplingFields {
			if value := *f.Value(&s); value != *f.Value(&usual) {
				line = append(line, "--"+f.Name, strconv.FormatFloat(value, 'g', -1, 64))
			}
		}
		if i == 0 || len(line) < len(fewest) {
			fewest = line
		}
	}
	return fewest
}

// sizeArgs returns the arguments for the sizes that differ from the defaults.
func sizeArgs(s model.Sizes) (line []string) {
	s = s.OrDefault()
	usual := model.DefaultSizes()
	for _, f := range model.SizeFields {
		if n := *f.Value(&s); n != *f.Value(&usual) {
			line = append(line, "--"+f.Name, strconv.Itoa(n))
		}
	}
	return line
}

// maxDistilled is the maximum number of calls of a distilled seq that becomes a template.
const maxDistilled = 3
