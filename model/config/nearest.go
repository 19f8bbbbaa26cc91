package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func contains(all []string, s string) bool { return slices.Contains(all, s) }

func list(known fields) string { return strings.Join(slices.Sorted(maps.Keys(known)), ", ") }

// nearest returns a hint for an unknown key: the most similar known key or, if none is similar, the list of all known
// keys.
func nearest(key string, known fields) string {
	best, least := "", len(key)/2+1
	for _, k := range slices.Sorted(maps.Keys(known)) {
		if d := distance(fold(key), fold(k)); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return "it takes " + list(known)
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// fold returns a key in lower case without dashes and underscores. It truncates long keys.
func fold(key string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(key[:min(len(key), 60)]))
}

// distance returns the Levenshtein distance of two texts, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
