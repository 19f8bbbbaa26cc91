package screen

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
)

// mostWords is how many resources a group is named after.
const mostWords = 4

// GroupName says what a value-sharing group is about: the first resources of its operations.
func GroupName(g model.Group) string {
	var words []string
	for _, op := range g.Operations {
		_, path, _ := strings.Cut(string(op), " ")
		w := draw.Clean(match.ResourceName(path))
		if w == "" || slices.Contains(words, w) {
			continue
		}
		if len(words) == mostWords {
			words = append(words, "…")
			break
		}
		words = append(words, w)
	}
	if len(words) == 0 {
		return "/"
	}
	return strings.Join(words, " · ")
}
