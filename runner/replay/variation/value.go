package variation

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// variants returns other values for a value, the most promising first. It returns nil for null and for objects. A list
// must have items.
func variants(v any, constants []string) []any {
	switch v := v.(type) {
	case bool:
		return []any{!v}
	case json.Number:
		var all []any
		for _, n := range numberVariants(string(v), constants) {
			all = append(all, json.Number(n))
		}
		return all
	case string:
		return textVariants(v, constants)
	case []any:
		all := []any{[]any{}, append(slices.Clone(v), v[len(v)-1])}
		if len(v) > 1 {
			all = append(all, v[:1])
		}
		return all
	}
	return nil
}

// textVariants returns other texts for a text. If the text is a number, the others are numbers, too, because a program
// parses such texts.
func textVariants(text string, constants []string) (all []any) {
	if isNumber(text) {
		for _, n := range numberVariants(text, constants) {
			all = append(all, n)
		}
		return all
	}
	for _, c := range constants {
		if !isNumber(c) && c != text && c != "" {
			all = append(all, c)
		}
	}
	if text != "" {
		all = append(all, "")
	}
	return append(all, text+"x")
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// numberVariants returns other numbers for a number, as texts in decimal notation: the constants and their neighbours,
// the neighbours of the number itself, zero, and the number with the opposite sign. If the number has a fraction, there
// are also numbers with one more digit, which decides how a program rounds. It returns nil if the text is not a number.
func numberVariants(text string, constants []string) (all []string) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	isWhole := !strings.ContainsAny(text, ".eE")
	add := func(n float64) {
		s := strconv.FormatFloat(n, 'f', -1, 64)
		if isWhole && strings.Contains(s, ".") {
			return // the program most likely parses only whole numbers here
		}
		if n != x && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, c := range constants {
		if n, err := strconv.ParseFloat(c, 64); err == nil {
			add(n)
			add(n + 1)
			add(n - 1)
		}
	}
	add(x + 1)
	add(x - 1)
	add(0)
	add(-x)
	if whole, fraction, ok := strings.Cut(text, "."); ok {
		for _, last := range []string{"5", "4", "6"} { // one more digit, which a program may cut off or round
			if n, err := strconv.ParseFloat(whole+"."+fraction+last, 64); err == nil {
				add(n)
			}
		}
	}
	return all
}

// numberIn matches the numbers in a text.
var numberIn = regexp.MustCompile(`-?\d+(?:\.\d+)?`)

// textChanges returns changes of a text. There is a list with other numbers for each of the first maxItems numbers in
// the text and, if the answer is a text, a list with the empty text. It returns nil if the answer is empty.
func textChanges(at answerPlace, a model.Answer, who string, constants []string) (all [][]change) {
	text := string(a.Content())
	if text == "" {
		return nil
	}
	with := func(data string) change {
		return change{about: who + model.Excerpt([]byte(data)), at: at, answer: a.WithContent([]byte(data))}
	}
	for _, m := range numberIn.FindAllStringIndex(text, maxItems) {
		var column []change
		for _, n := range numberVariants(text[m[0]:m[1]], constants) {
			column = append(column, with(text[:m[0]]+n+text[m[1]:]))
		}
		all = append(all, column)
	}
	if a.Bytes == nil {
		all = append(all, []change{with("")})
	}
	return all
}
