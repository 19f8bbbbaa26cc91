// Package refusal reads what a refusal, an answer that rejects a request, says about the inputs of the request: that
// an input is required or unknown, or which values, format, pattern or bounds the input may have. It recognizes the
// forms of common libraries and frameworks: problem details (RFC 9457), the validators of Go, pydantic, Spring, Rails
// and Express, and plain sentences.
//
// The result is a guess. The message may be about another input, or wrong.
package refusal

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Limits of what is read of an answer.
const (
	maxBytes      = 16 << 10
	maxStatements = 64
	maxLength     = 1000 // bytes of a statement
)

// Rule is a constraint on one input, as an answer states it.
type Rule struct {
	// Input is the name of the input, as the spec spells it. It is "" if the answer does not name the
	// input. Then the rule is about a text.
	Input string
	// Required is true if the input must be present, Unknown if it must be absent.
	Required, Unknown bool
	// Values are the values that the input may have, nil if unknown.
	Values []string
	// Prefix is the beginning of the text, Pattern its regular expression, and Format its format as in OpenAPI, such as
	// "email"; each is "" if unknown.
	Prefix, Pattern, Format string
	// MinLength and MaxLength are bounds of the number of characters of a text. Min and Max are bounds of a number.
	// Each is nil if unknown.
	MinLength, MaxLength *int
	Min, Max             *float64
}

// Key returns a text that is equal for equal rules.
func (r Rule) Key() string {
	text, _ := json.Marshal(r) // cannot fail: the fields are texts, numbers and booleans
	return string(text)
}

// Read returns the rules that the body of a refusal states about the given inputs, in the order of the sentences;
// the members of a JSON object are read in the order of their names. A rule that names no input is returned only
// if it has a prefix, a pattern or several values.
func Read(body []byte, inputs []string) []Rule {
	var rules []Rule
	for _, s := range statementsOf(body[:min(len(body), maxBytes)]) {
		r := ruleOf(s.text)
		if r == nil {
			continue
		}
		r.Input = s.input(inputs)
		if r.Input != "" || r.Prefix != "" || r.Pattern != "" || len(r.Values) > 1 {
			rules = append(rules, *r)
		}
	}
	return rules
}

// statement is a sentence of an answer, with its context.
type statement struct {
	text string
	// around are other texts that may name the input: the values of other members of the sentence's
	// JSON object, and the names of the members that enclose the sentence, the nearest first.
	around []string
}

// statementsOf returns the sentences of an answer.
func statementsOf(body []byte) (all []statement) {
	var v any
	if json.Unmarshal(body, &v) == nil {
		return appendStatements(nil, v, nil)
	}
	return appendSentences(nil, string(body), nil)
}

// appendStatements appends the sentences in a JSON value. around is as in a statement.
func appendStatements(all []statement, v any, around []string) []statement {
	switch v := v.(type) {
	case string:
		return appendSentences(all, v, around)
	case []any:
		for _, element := range v {
			all = appendStatements(all, element, around)
		}
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		for _, name := range names {
			near := append([]string{name}, siblings(v, name)...)
			all = appendStatements(all, v[name], append(near, around...))
		}
	}
	return all
}

// siblings returns texts that may name an input: the texts without blanks in the other members of an object. It also
// reads lists, such as ["body", "name"].
func siblings(object map[string]any, except string) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if name == except {
			continue
		}
		list, isList := object[name].([]any)
		if !isList {
			list = []any{object[name]}
		}
		for _, element := range slices.Backward(list) { // the last part of a path names the input
			if text, ok := element.(string); ok && !strings.ContainsFunc(text, unicode.IsSpace) {
				all = append(all, text)
			}
		}
	}
	return all
}

// appendSentences appends the sentences of a text.
func appendSentences(all []statement, text string, around []string) []statement {
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' || r == '|' }) {
		for _, sentence := range strings.Split(line, ". ") {
			if sentence = strings.TrimSpace(sentence); sentence != "" && len(all) < maxStatements && len(sentence) <= maxLength {
				all = append(all, statement{sentence, around})
			}
		}
	}
	return all
}

// input returns the input that a statement is about. This is the first input that the sentence names, preferably in
// quotes. Otherwise it is the first input that a text in around names. Otherwise it is the only element of inputs, or
// "" if inputs has more or fewer elements.
func (s statement) input(inputs []string) string {
	plain := make(map[string]string, len(inputs))
	for _, input := range inputs {
		plain[plainName(input)] = input
	}
	quoted := strings.Join(quotedIn(s.text), " ")
	for _, text := range append([]string{quoted, s.text}, s.around...) {
		words := strings.FieldsFunc(text, func(r rune) bool { return !isNameRune(r) })
		for i, word := range words {
			if input, ok := plain[plainName(word)]; ok {
				return input
			}
			if input, ok := plain[plainName(strings.Join(words[i:min(i+2, len(words))], ""))]; ok {
				return input // the input authId may be written "auth ID"
			}
		}
	}
	if len(inputs) == 1 {
		return inputs[0]
	}
	return ""
}

func isNameRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-'
}

// plainName returns a name in lower case and without separators, so that "Project_ID" and "projectId"
// are equal.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
