package model

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
)

// CheckRegexp says in one line why a text is no regular expression: Go's own error has
// the text as it is, with its ends of lines.
func CheckRegexp(text string) error {
	_, err := regexp.Compile(text)
	if bad, ok := errors.AsType[*syntax.Error](err); ok {
		return fmt.Errorf("%.60q is no regular expression: %s in %.60q", text, bad.Code, bad.Expr)
	}
	return err
}
