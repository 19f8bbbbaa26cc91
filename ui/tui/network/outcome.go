package network

import (
	"cmp"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// outcomeStyle returns the glyph and the style for an outcome, which is a status or a word.
func outcomeStyle(outcome string) (string, theme.Style) {
	if status, err := strconv.Atoi(outcome); err == nil {
		return theme.Class(status)
	}
	switch outcome {
	case "answer", "connected", "real", "listens", model.OutcomeWorks:
		return theme.Ok, theme.Good
	case "nothing", "waits", "slow", "not http", "not tcp":
		return theme.Refused, theme.Warn
	}
	return theme.Failed, theme.Bad
}

// outcome draws the outcome of a contact with its glyph.
func outcome(word string) draw.Span {
	glyph, style := outcomeStyle(word)
	return draw.Span{Text: glyph + " " + draw.Clean(word), Style: style}
}

// outcomes returns the outcomes of a host's contacts, the most frequent first.
func outcomes(h *model.HostSummary) []string {
	all := make([]string, 0, len(h.Outcomes))
	for word := range h.Outcomes {
		all = append(all, word)
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(h.Outcomes[b]-h.Outcomes[a], cmp.Compare(a, b))
	})
	return all
}

// outcomeCount draws an outcome and its frequency.
func outcomeCount(h *model.HostSummary, word string) draw.Line {
	return draw.Line{outcome(word), {Text: " ×" + words.Count(h.Outcomes[word]), Style: theme.Plain}}
}

// injectedLine draws the summary of a stub that the user injected.
func injectedLine(s model.Stub) draw.Line {
	return draw.TextLine(theme.Injected+" "+draw.Clean(s.Summary()), theme.Active)
}
