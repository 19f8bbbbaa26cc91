package usecase

import (
	"context"
	"os/exec"

	"sonde/model"
)

// SpecFiles reads the spec and finds its files.
type SpecFiles struct {
	// Load reads a spec from a file, a URL or another source.
	Load func(ctx context.Context, source string) (*model.Spec, error)
	// LoadOlder reads the older version that the spec is compared with. If it is nil, there is none.
	LoadOlder func() (*model.Spec, error)
	// FileStamp returns a text that changes when one of the files changes, "" if none of
	// them exists. If it is nil, files are not watched.
	FileStamp func(files []string) string
	// Edit returns the command that opens the user's editor at a line of a file, 0 for no
	// line. The error says why the file can't be edited.
	Edit func(file string, line int) (*exec.Cmd, error)
}
