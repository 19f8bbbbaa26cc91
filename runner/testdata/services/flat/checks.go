package main

import (
	"strings"

	"sonde/runner/testdata/services/serve"
)

// schemes has the ways to check a number. The weights are repeated for the digits from right to
// left.
var schemes = map[string]struct {
	length  int // 0 if any length is valid
	weights [2]int
	fold    bool // the digits of each product are added up
}{
	"luhn": {0, [2]int{1, 2}, true}, "isbn13": {13, [2]int{1, 3}, false}, "ean8": {8, [2]int{1, 3}, false},
}

func check(c *serve.Call) (serve.Answer, error) {
	scheme, ok := schemes[c.PathValue("scheme")]
	if !ok {
		return serve.Answer{}, serve.Missing("scheme")
	}
	var in struct {
		Number *string `json:"number"`
	}
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	digits := strings.NewReplacer(" ", "", "-", "").Replace(serve.Or(in.Number, ""))
	if err := serve.Check(
		serve.Rule{Holds: digits != "" && len(digits) <= 40, Text: "number: must have 1 to 40 digits"},
		serve.Rule{Holds: strings.Trim(digits, "0123456789") == "", Text: "number: must be of digits, blanks and dashes"},
	); err != nil {
		return serve.Answer{}, err
	}
	sum := 0
	for i := range len(digits) {
		n := int(digits[len(digits)-1-i]-'0') * scheme.weights[i%2]
		if scheme.fold && n > 9 {
			n -= 9
		}
		sum += n
	}
	fits := scheme.length == 0 || len(digits) == scheme.length
	return serve.OK(map[string]any{"valid": fits && sum%10 == 0, "digits": digits})
}
