package usecase

import "sonde/model"

// Commands returns the command lines that do the same as actions of the app, without secrets. A command line of "" means
// that no command does the same. The commands of searches and of recordings come from SearchRun and Recorder.
type Commands struct {
	// Read checks a spec, which the app has read.
	Read func(source string) string
	// Send sends the request of an exchange again. Its secrets are replaced by pseudonyms.
	Send func(model.Exchange) string
	// Replay plays a test of a run.
	Replay func(model.Test) string
	// List lists seqs while it calls them.
	List func(ListingSettings) string
	// Export writes tests of a run in a format to a folder. faults is one of TestFiles.FaultModes.
	Export func(format, faults, dir string, tests []model.Test) string
	// Generate makes tests from a recording.
	Generate func(GenerateRequest) string
	// OpenRun and OpenRecording open a folder in the app.
	OpenRun, OpenRecording func(folder string) string
	// WriteScript writes a shell script. If the file exists and force is not set, the error is fs.ErrExist.
	WriteScript func(path, text string, force bool) error
}
