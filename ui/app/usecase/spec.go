package usecase

import (
	"context"
	"os/exec"

	"sonde/model"
)

// SpecFiles has the functions that read the spec and its files.
type SpecFiles struct {
	// Load reads a spec from a file, a URL or another source.
	Load func(ctx context.Context, source string) (*model.Spec, error)
	// LoadOlder reads the older version with which the spec is compared. It is nil if there is none.
	LoadOlder func() (*model.Spec, error)
	// FileStamp returns a text that changes when one of the files or the configuration changes. It returns "" if none
	// of the files exists. A nil FileStamp means that files are not watched.
	FileStamp func(files []string) string
	// Edit returns the command that opens the user's editor at a line of a file; line 0 means no line. The
	// error says why the file cannot be edited.
	Edit func(file string, line int) (*exec.Cmd, error)
}
