package main

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/runner/testdata/services/serve"
)

type newSlug struct {
	Text      *string `json:"text"`
	Separator *string `json:"separator"`
	MaxLength *int    `json:"maxLength"`
	KeepCase  bool    `json:"keepCase"`
}

func slug(c *serve.Call) (serve.Answer, error) {
	var in newSlug
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	if err := serve.Check(
		serve.Rule{Holds: serve.Text(in.Text, 1, 200), Text: "text: must have 1 to 200 characters"},
		serve.Rule{Holds: in.Separator == nil || serve.OneOf(in.Separator, "-", "_", "."), Text: "separator: must be one of - _ ."},
		serve.Rule{Holds: in.MaxLength == nil || serve.Within(in.MaxLength, 5, 80), Text: "maxLength: must be from 5 to 80"},
	); err != nil {
		return serve.Answer{}, err
	}
	words := strings.FieldsFunc(*in.Text, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "text: has no letter and no digit")
	}
	separator := serve.Or(in.Separator, "-")
	text := strings.Join(words, separator)
	if !in.KeepCase {
		text = strings.ToLower(text)
	}
	return serve.OK(map[string]any{"slug": cut(c, text, separator, serve.Or(in.MaxLength, 80)), "words": len(words)})
}

// cut shortens a slug by whole words.
func cut(c *serve.Call, text, separator string, limit int) string {
	for len(text) > limit {
		at := strings.LastIndex(text, separator)
		// F07: there is no separator before a first word that is too long.
		c.Fault("F07", at < 0)
		text = text[:at]
	}
	return text
}

type pair struct {
	Left       *string `json:"left"`
	Right      *string `json:"right"`
	Method     *string `json:"method"`
	IgnoreCase bool    `json:"ignoreCase"`
}

func compare(c *serve.Call) (serve.Answer, error) {
	var in pair
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	if err := serve.Check(
		serve.Rule{Holds: serve.Text(in.Left, 0, 100) && serve.Text(in.Right, 0, 100), Text: "left, right: must have at most 100 characters"},
		serve.Rule{Holds: serve.OneOf(in.Method, "hamming", "prefix"), Text: "method: must be hamming or prefix"},
	); err != nil {
		return serve.Answer{}, err
	}
	left, right := *in.Left, *in.Right
	if in.IgnoreCase {
		left, right = strings.ToLower(left), strings.ToLower(right)
	}
	if *in.Method == "hamming" && utf8.RuneCountInString(left) != utf8.RuneCountInString(right) {
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "method: hamming needs texts of one length")
	}
	return serve.OK(map[string]any{"distance": distance([]rune(left), []rune(right), *in.Method), "equal": left == right})
}

// distance returns the number of characters that differ, or of those after the common prefix.
func distance(left, right []rune, method string) int {
	n := 0
	for i := range min(len(left), len(right)) {
		switch {
		case left[i] != right[i] && method == "prefix":
			return max(len(left), len(right)) - i
		case left[i] != right[i]:
			n++
		}
	}
	return n + max(len(left), len(right)) - min(len(left), len(right))
}
