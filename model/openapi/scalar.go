package openapi

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// scalar returns n as the shape has it, or nil where it is no such thing. What
// can be meant in one way only is read that way: the text "true" for true.
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

// numberOf reads JSON's numbers and those that only YAML knows, such as 0x1F
// and 1_000.
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
	f = min(f, math.MaxInt32) // longer than anything that is ever sent
	return n.as(isNumber, strconv.FormatInt(int64(f), 10))
}

// as returns n if it is of the kind and has the text, or such a scalar.
func (n *node) as(kind nodeKind, text string) *node {
	if n.kind == kind && n.text == text {
		return n
	}
	return &node{kind: kind, text: text, line: n.line}
}

// jsonNumber keeps the file's digits where they are a JSON number.
func jsonNumber(text string, f float64) string {
	if json.Valid([]byte(text)) {
		return text
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
