package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/instrument/probe"
	"sonde/runner/instrument/probedata"
	"sonde/runner/network/netns"
	"sonde/ui/app/paths"
	"sonde/ui/app/userdata"
	"sonde/ui/app/version"

	"github.com/charmbracelet/x/term"
	"github.com/mattn/go-isatty"
	"github.com/muesli/termenv"
)

// defaultLimit is the time limit of a check. Programs that run on a virtual machine, such as Maven, may take seconds to
// print their version.
const defaultLimit = 20 * time.Second

// NewEnvironment returns the environment of this machine, without the facts about the terminal.
func NewEnvironment() Environment {
	return Environment{
		System: System{
			Version:         version.Text(),
			OS:              runtime.GOOS,
			Arch:            runtime.GOARCH,
			CanShareMemory:  probedata.CanShareMemory,
			CheckNamespaces: netns.CheckSupport,
			CheckGo:         probe.CheckRelease,
			OldestGo:        probe.OldestRelease,
		},
		Programs:     installedPrograms{},
		Files:        localFiles{},
		Settings:     currentFolder{},
		Folders:      userFolders(),
		TempFolder:   os.TempDir(),
		MemoryFolder: probedata.MemoryFolder(),
		Variable:     os.LookupEnv,
		Limit:        defaultLimit,
	}
}

// userFolders returns the folders in which Sonde keeps files of the user.
func userFolders() []Folder {
	preferences, preferencesErr := userdata.PreferencesFile()
	state, stateErr := userdata.StateFile()
	cache, cacheErr := os.UserCacheDir()
	return []Folder{
		{
			Name: "preferences", Path: folderOf(preferences), Err: preferencesErr,
			Purpose: "config.yaml",
			Advice:  "make it writable, or name another by XDG_CONFIG_HOME",
		},
		{
			Name: "recents", Path: folderOf(state), Err: stateErr,
			Purpose: "recent specs and searches",
			Advice:  "make it writable, or name another by XDG_STATE_HOME; without it nothing is remembered",
		},
		{
			Name: "cache", Path: filepath.Join(cache, "sonde"), Err: cacheErr,
			Purpose: "searches without -o, demo",
			Advice:  "make it writable, name another by XDG_CACHE_HOME, or give -o",
		},
	}
}

// folderOf returns the folder of a file, "" for no file.
func folderOf(file string) string {
	if file == "" {
		return ""
	}
	return filepath.Dir(file)
}

// NewScreen returns the facts about the terminal to which a command writes.
func NewScreen(out io.Writer) Screen {
	file, isFile := out.(*os.File)
	if !isFile || !isatty.IsTerminal(file.Fd()) {
		return Screen{}
	}
	s := Screen{IsTerminal: true}
	if width, height, err := term.GetSize(file.Fd()); err == nil {
		s.Width, s.Height = width, height
	}
	if profile := termenv.NewOutput(file).EnvColorProfile(); profile != termenv.Ascii {
		s.Colours = profile.Name()
	}
	return s
}

// installedPrograms are the programs of this machine.
type installedPrograms struct{}

func (installedPrograms) Find(name string) (string, error) {
	path, err := exec.LookPath(name)
	lookup := new(exec.Error)
	if errors.As(err, &lookup) {
		err = paths.WithoutPath(lookup.Err) // without the name, which the caller knows
	}
	return path, err
}

// maxOutput is the number of bytes that are read of a program's output.
const maxOutput = 64 << 10

// Output runs a program in the root folder, so that files of the current folder, such as go.mod, .mvn or a module of
// Python, do not change what it does. The Go command must not fetch another release.
func (installedPrograms) Output(ctx context.Context, path string, args ...string) (string, error) {
	var out, errs limitedBuffer
	c := exec.CommandContext(ctx, path, args...)
	c.Dir = filepath.VolumeName(path) + string(filepath.Separator)
	c.Env = append(os.Environ(), "GOTOOLCHAIN=local")
	c.Stdout, c.Stderr, c.WaitDelay = &out, &errs, time.Second
	err := c.Run()
	command := strings.Join(append([]string{filepath.Base(path)}, args...), " ")
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s takes too long", command)
	case err != nil && firstLine(errs.String()) != "":
		return "", fmt.Errorf("%s fails: %w: %s", command, err, firstLine(errs.String()))
	case err != nil:
		return "", fmt.Errorf("%s fails: %w", command, err)
	case len(out.kept) == 0:
		return errs.String(), nil
	}
	return out.String(), nil
}

// limitedBuffer keeps the first maxOutput bytes that are written to it.
type limitedBuffer struct{ kept []byte }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(len(p), maxOutput-len(b.kept))]...)
	return len(p), nil
}

func (b *limitedBuffer) String() string { return string(b.kept) }

// localFiles are the folders of this machine.
type localFiles struct{}

func (f localFiles) CheckCreatable(folder string) error {
	return f.CheckWritable(nearestFolder(folder))
}

func (localFiles) CheckWritable(folder string) error {
	f, err := os.CreateTemp(folder, ".sonde-doctor-*")
	if err != nil {
		return paths.WithoutPath(err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// nearestFolder returns the path itself if it exists, or otherwise the nearest folder above it that exists.
func nearestFolder(path string) string {
	for path = paths.Absolute(path); !paths.Exists(path) && filepath.Dir(path) != path; {
		path = filepath.Dir(path)
	}
	return path
}

func (localFiles) FreeSpace(folder string) (uint64, error) { return freeSpace(folder) }

func (localFiles) List(folder string) ([]string, error) {
	if folder == "" {
		folder = "."
	}
	entries, err := os.ReadDir(folder)
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names, paths.WithoutPath(err)
}

// currentFolder is the configuration of the current folder.
type currentFolder struct{}

func (currentFolder) Config(variable func(name string) (string, bool)) (config.Config, error) {
	return config.LoadWithEnv(config.FileName, variable)
}

func (currentFolder) Spec(ctx context.Context, path string) (*model.Spec, error) {
	return openapi.Load(ctx, path, openapi.Options{})
}

func (currentFolder) Baseline(path string) ([]config.KnownFault, error) {
	return config.LoadBaseline(path)
}
