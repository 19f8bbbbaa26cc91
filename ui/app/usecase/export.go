package usecase

import (
	"sonde/model"
)

// TestFiles writes tests and pictures to files.
type TestFiles struct {
	// Formats are the formats of test files, the default first.
	Formats []TestFormat
	// FaultModes are the ways in which tests of faults behave until the fault is fixed, the default first.
	FaultModes []string
	// Preview returns the content of the file that Write would write. faults is one of FaultModes.
	Preview func(format, faults string, tests []model.Test) (string, error)
	// Compare returns what each format leaves out of a file of these tests, in the order of Formats. Tests that show
	// faults are included. It takes some time.
	Compare func(faults string, tests []model.Test) []FormatFit
	// Write writes the test file to a folder, or updates the existing one, and returns its path. If the
	// existing file has no generated regions and force is not set, the error is fs.ErrExist.
	Write func(format, faults, dir string, tests []model.Test, force bool) (string, error)
	// WritePicture writes a picture to a file. The extension of the file selects the format. If the file
	// exists and force is not set, the error is fs.ErrExist.
	WritePicture func(path string, p GraphPicture, force bool) error
}

// TestFormat is a format of test files.
type TestFormat struct {
	Name, File, Text string
	Run              string // the command that runs the file, without its path; "" if more is needed
	Helpers          string // the file that must be in the same folder, "" for none
	Needs            string // what must be installed to run the file, "" if it is only read
}

// FormatFit says how much of some tests a format can express.
type FormatFit struct {
	Format  string
	LeftOut int // the number of tests that the file leaves out
	// Omissions are lines about what the file leaves out: tests, with the reason, and parts of tests.
	Omissions []string
}
