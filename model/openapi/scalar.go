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
		return textNode(n.text, n.line)
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
		return flagNode(true, n.line)
	case "false", "no", "off":
		return flagNode(false, n.line)
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
		return &node{kind: isNumber, text: jsonNumber(n.text, f), line: n.line}
	}
	if f < 0 || f != math.Trunc(f) {
		return nil
	}
	f = min(f, math.MaxInt32) // longer than anything that is ever sent
	return &node{kind: isNumber, text: strconv.FormatInt(int64(f), 10), line: n.line}
}

// jsonNumber keeps the file's digits where they are a JSON number.
func jsonNumber(text string, f float64) string {
	if json.Valid([]byte(text)) {
		return text
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
