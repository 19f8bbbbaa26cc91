package usecase

import "sonde/model"

// RequestFiles reads and writes the .http files of the project. All functions read or write files.
type RequestFiles struct {
	// Stamp returns a text that changes when the files change. It is "" if there are none.
	Stamp func() string
	// Load reads the files. Users whose credentials are in the files are added to the users of the session.
	Load func() (RequestFolder, error)
	// Save writes the requests of a test to a file. All other text of the file stays. If the file has a test with the
	// name and force is not set, the error is fs.ErrExist.
	Save func(r SavedRequest, force bool) (SaveResult, error)
}

// RequestFolder is the folder with the .http files of the project.
type RequestFolder struct {
	Path  string
	Files []RequestFile
	// Users are the names of all users if reading has added some, otherwise nil.
	Users []string
}

// RequestFile is a .http file.
type RequestFile struct {
	Path string
	Seqs []FileSeq
	// Problems are the requests that are in no seq, with the reasons.
	Problems []model.Problem
}

// FileSeq is a test that the requests of a .http file make. It has no answers.
type FileSeq struct {
	Name string // unique in the file
	Line int    // of its first request
	Test model.Test
}

// SavedRequest is a test to be saved in a .http file.
type SavedRequest struct {
	File string // the name of the file, without its folder
	Name string
	Test model.Test
	// Files are the paths of the files that the last call sends. Test has the paths in the place of their content.
	Files []string
}

// SaveResult is the result of saving a test in a .http file.
type SaveResult struct {
	Path     string
	Name     string // as it was written
	Replaced bool
	// Variables are those that have replaced secrets. Notes say what the file does not say.
	Variables, Notes []string
	// Command is a command line that appends the same text to the file, "" if other text was replaced.
	Command string
}
