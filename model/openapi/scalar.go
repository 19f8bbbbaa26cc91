package openapi

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// scalar returns n converted to a shape, nil if this is impossible. It converts a value only if the value has a
// single possible meaning: the text "true" becomes true.
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

// numberOf returns a number in the form of JSON. n is a number or a text with a number, including numbers that only
// YAML has, such as 0x1F and 1_000. For other values numberOf returns nil. If whole is set, the number must be a whole
// number from 0 on; numberOf reduces it to math.MaxInt32.
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
	f = min(f, math.MaxInt32) // longer than any body that Sonde sends
	return n.as(isNumber, strconv.FormatInt(int64(f), 10))
}

// as returns a node with this kind and text, on the line of n. It returns n itself if n already has this kind and
// text.
func (n *node) as(kind nodeKind, text string) *node {
	if n.kind == kind && n.text == text {
		return n
	}
	return &node{kind: kind, text: text, line: n.line}
}

// jsonNumber returns a number as text. This is the text from the file if it is valid in JSON, otherwise f in the form
// of JSON.
func jsonNumber(text string, f float64) string {
	if json.Valid([]byte(text)) {
		return text
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
