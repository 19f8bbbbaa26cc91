package usecase

// TestFormat is a format of test files.
type TestFormat struct {
	Name, File, Text string
	Run              string // the command that runs the file, without its path; "" if more is needed
	Helpers          string // the file that must be in the same folder, "" for none
}

// FaultReport describes a fault: its text, and the curl commands that repeat it with
// credentials as environment variables. Curl is "" if the calls were not kept.
type FaultReport struct{ Text, Curl string }
