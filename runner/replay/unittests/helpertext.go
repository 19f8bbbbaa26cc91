package unittests

import (
	"go/format"
	"strings"

	"sonde/assets/templates"
)

// helperText returns the file with the helpers of the tests.
func (f *fileBuilder) helperText() ([]byte, error) {
	_, after, _ := strings.Cut(templates.UnitHelpers, "package unittest\n")
	return format.Source([]byte(ownHeading + ". Do not change them.\n\npackage " + f.pkg.Name() + "\n" + after))
}
