package draw

import (
	"sonde/model"
	"sonde/ui/theme"
)

// AnswersGlyph returns the glyph and the style for the answers of an operation. counts has the number of
// answers by status. 5xx takes precedence over 2xx, and 2xx over 4xx.
func AnswersGlyph(counts map[int]int) (string, theme.Style) {
	switch model.ClassOf(counts) {
	case model.ClassBroken:
		return theme.Class(500)
	case model.ClassSucceeded:
		return theme.Class(200)
	case model.ClassRefused:
		return theme.Class(400)
	}
	return theme.Class(0)
}
