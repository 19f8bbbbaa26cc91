package unittests

import (
	"go/format"
	"strings"

	"sonde/assets/templates"
)

// helperText returns the file with the helpers of the tests.
func (f *fileBuilder) helperText() ([]byte, error) {
	return f.inPackage(templates.UnitHelpers)
}

// inPackage returns a template as a file of the package.
func (f *fileBuilder) inPackage(template string) ([]byte, error) {
	_, after, _ := strings.Cut(template, "package unittest\n")
	return format.Source([]byte(ownHeading + ". Do not change them.\n\npackage " + f.pkg.Name() + "\n" + after))
}
