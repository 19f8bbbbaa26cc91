package screen

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
)

// maxResources is the maximum number of resources in the name of a group.
const maxResources = 4

// GroupName names a value-sharing group after the first resources of its operations, or
// "/" if they have none.
func GroupName(g model.ValueGroup) string {
	var words []string
	for _, op := range g.Operations {
		_, path, _ := strings.Cut(string(op), " ")
		w := draw.Clean(match.ResourceName(path))
		if w == "" || slices.Contains(words, w) {
			continue
		}
		if len(words) == maxResources {
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
