package generate

import (
	"encoding/json"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// patternExpectation returns the expectation that a text matches a regular expression from its beginning to its end.
func patternExpectation(form, why string) *model.Expectation {
	return &model.Expectation{Comparison: model.ComparePattern, Value: jsonText(form), Why: why}
}

// typeExpectation returns the expectation that a value has the same JSON type as v.
func typeExpectation(v any, why string) *model.Expectation {
	return &model.Expectation{Comparison: model.CompareType, Value: jsonText(shape.JSONType(v)), Why: why}
}

// differentTextExpectation returns an expectation for values that may differ from l. If l is a text, they must have the
// same form as l; otherwise they must have the same JSON type.
func differentTextExpectation(l leaf, why string) *model.Expectation {
	if shape.JSONType(l.value) == "string" {
		return patternExpectation(generatedPattern(l.text()), why)
	}
	return typeExpectation(l.value, why)
}

// commonExpectation returns an expectation that both a and b meet. It is the first of these that is possible: a pattern
// of generated texts, the JSON type, or the presence of a value.
func commonExpectation(a, b any, why string) *model.Expectation {
	first, isText := a.(string)
	second, both := b.(string)
	if isText && both && generatedPattern(first) == generatedPattern(second) {
		return patternExpectation(generatedPattern(first), why)
	}
	if shape.JSONType(a) == shape.JSONType(b) {
		return typeExpectation(a, why)
	}
	if isNumber(a) && isNumber(b) {
		return &model.Expectation{Comparison: model.CompareType, Value: jsonText("number"), Why: why}
	}
	return &model.Expectation{Comparison: model.ComparePresent, Why: why}
}

// isNumber reports whether v is a number of a decoded JSON value.
func isNumber(v any) bool {
	_, is := v.(json.Number)
	return is
}
