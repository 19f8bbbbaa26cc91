package openapi

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// scalar returns n in the form of a shape, or nil if n does not have that shape. A value with only one
// possible meaning is converted, such as the text "true" to true.
func scalar(n *node, s shape) *node {
	if !n.scalar() {
		return nil
	}
	switch s {
	case aText:
		return n.as(isText, n.text)
	case aFlag:
		return flagOf(n)
	case aNumber, aCount:
		return numberOf(n, s == aCount)
	default:
		return nil
	}
}

func flagOf(n *node) *node {
	switch strings.ToLower(n.text) {
	case "true", "yes", "on":
		return n.as(isFlag, "true")
	case "false", "no", "off":
		return n.as(isFlag, "false")
	}
	return nil
}

// numberOf converts a number, or a text that is one, and returns nil for other values. It also accepts the
// numbers that only YAML has, such as 0x1F and 1_000. If whole is set, it accepts only whole numbers from 0.
func numberOf(n *node, whole bool) *node {
	if n.kind == isFlag {
		return nil
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		i, err := strconv.ParseInt(n.text, 0, 64)
		if err != nil {
			return nil
		}
		f = float64(i)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	if !whole {
		return n.as(isNumber, jsonNumber(n.text, f))
	}
	if f < 0 || f != math.Trunc(f) {
		return nil
	}
	f = min(f, math.MaxInt32) // longer than any body that is sent
	return n.as(isNumber, strconv.FormatInt(int64(f), 10))
}

// as returns n with this kind and text. It returns n itself if n has them already.
func (n *node) as(kind nodeKind, text string) *node {
	if n.kind == kind && n.text == text {
		return n
	}
	return &node{kind: kind, text: text, line: n.line}
}

// jsonNumber returns the text from the file if it is a number in JSON, or else f in that form.
func jsonNumber(text string, f float64) string {
	if json.Valid([]byte(text)) {
		return text
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
