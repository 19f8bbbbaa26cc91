package model

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
)

// CheckRegexp returns an error of one line if the text is not a regular expression. It replaces the error
// of package regexp, which contains the text with its line breaks.
func CheckRegexp(text string) error {
	_, err := regexp.Compile(text)
	if bad, ok := errors.AsType[*syntax.Error](err); ok {
		return fmt.Errorf("%.60q is not a regular expression: %s in %.60q", text, bad.Code, bad.Expr)
	}
	return err
}
