package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// wanted says by the type of a flag what to give.
var wanted = map[string]string{
	"int":      "a whole number",
	"uint64":   "a whole number from 0 on",
	"float64":  "a number",
	"duration": "a time such as 30s or 5m",
	"bool":     "true or false",
}

// flagError says what to give where a value does not fit its flag; other errors
// stay as they are.
func flagError(err error) error {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return err
	}
	if want, known := wanted[wrong.GetFlag().Value.Type()]; known {
		return fmt.Errorf("--%s is %q: give %s", wrong.GetFlag().Name, wrong.GetValue(), want)
	}
	return err
}
