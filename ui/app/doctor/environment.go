package doctor

import (
	"context"
	"time"

	"sonde/model"
	"sonde/model/config"
)

// Environment is what the checks know of the machine.
type Environment struct {
	System   System
	Screen   Screen
	Programs Programs
	Files    Files
	Settings Settings
	Folders  []Folder
	// TempFolder is the folder of temporary files. MemoryFolder is the folder whose files are in memory, "" if there
	// is none.
	TempFolder   string
	MemoryFolder string
	// Variable returns the value of an environment variable, and whether it is set.
	Variable func(name string) (string, bool)
	// Limit is the time limit of each check.
	Limit time.Duration
}

// System has facts about Sonde and the operating system.
type System struct {
	Version string // the version of Sonde, in one line
	OS      string // as runtime.GOOS
	Arch    string // as runtime.GOARCH
	// CanShareMemory reports whether a service with probes can share memory with Sonde.
	CanShareMemory bool
	// CheckNamespaces returns an error if users of this system cannot create network namespaces.
	CheckNamespaces func() error
	// CheckGo returns an error if a release of Go, such as go1.26.0, cannot build services with probes. OldestGo is the
	// first release that can.
	CheckGo  func(release string) error
	OldestGo string
}

// Screen has facts about the terminal.
type Screen struct {
	IsTerminal   bool   // standard output is a terminal
	Colours      string // such as TrueColor; "" means none
	Width        int    // in cells; 0 if unknown
	Height       int
	MinWidth     int // the smallest terminal in which the app is drawn
	MinHeight    int
	HasClipboard bool // the system has a clipboard that Sonde uses
}

// Folder is a folder in which Sonde keeps files of the user.
type Folder struct {
	Name    string
	Path    string
	Err     error // the reason why there is no path
	Purpose string
	Advice  string // what to do if the folder is not writable
}

// Programs finds programs and asks them for their versions.
type Programs interface {
	// Find returns the path of a program. A name without a slash is looked up on the PATH.
	Find(name string) (path string, err error)
	// Output runs a program and returns the beginning of its standard output, or of its error output if there is no
	// other. An error has one line.
	Output(ctx context.Context, path string, args ...string) (string, error)
}

// Files looks at folders.
type Files interface {
	// CheckWritable returns an error if no file can be created in a folder. CheckCreatable is like CheckWritable for a
	// folder that need not exist: then it checks the nearest folder above that exists.
	CheckWritable(folder string) error
	CheckCreatable(folder string) error
	// FreeSpace returns the number of bytes that a user can write into a folder.
	FreeSpace(folder string) (uint64, error)
	// List returns the names in a folder.
	List(folder string) ([]string, error)
}

// Settings reads the sonde.yaml of the current folder and its spec.
type Settings interface {
	// Config returns the configuration, with the variables of its addresses replaced. The error wraps fs.ErrNotExist if
	// there is none.
	Config(variable func(name string) (string, bool)) (config.Config, error)
	// Spec reads the file of a spec.
	Spec(ctx context.Context, path string) (*model.Spec, error)
	// Baseline reads the file of a baseline.
	Baseline(path string) ([]config.KnownFault, error)
}
