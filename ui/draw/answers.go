package draw

import (
	"sonde/model"
	"sonde/ui/theme"
)

// AnswersGlyph returns the glyph and style for the answers of an operation, given the number of answers with each
// status. They are those of 5xx if there is such an answer, else of 2xx, else of 4xx.
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
