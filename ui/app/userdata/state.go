package userdata

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2/maybe"
)

// State is the state that Sonde keeps between sessions. It contains no requests and no credentials. Package requestlog keeps
// the requests that were sent by hand.
type State struct {
	Version int          `json:"version"`
	Specs   []RecentSpec `json:"specs"` // the most recently opened first
	Runs    []RecentRun  `json:"runs"`  // the most recently started first
}

// RecentSpec is a spec that was opened, with the state of the screens when the user left the spec.
type RecentSpec struct {
	Source string    `json:"source"` // see SpecSource
	Title  string    `json:"title,omitempty"`
	When   time.Time `json:"when"`
	Place  Place     `json:"place"`
}

// Place is the state of the screens of a spec.
type Place struct {
	Tab        int         `json:"tab,omitempty"`
	Operation  string      `json:"operation,omitempty"`
	Filter     string      `json:"filter,omitempty"`     // filter of the operations
	SeqFilter  string      `json:"seqFilter,omitempty"`  // filter of the seqs
	SeqGroups  string      `json:"seqGroups,omitempty"`  // the grouping of the seqs
	Picks      [][]string  `json:"picks,omitempty"`      // the picked seqs, each as a list of operations
	SavedPicks [][2]string `json:"savedPicks,omitempty"` // picked seqs of .http files, as file and name
	Built      [][]string  `json:"built,omitempty"`      // hand-made seqs, as operations
	Names      string      `json:"names,omitempty"`      // the naming of operations, "" if it is that of the preferences

	// Panes has the shares of panes whose borders the user has dragged, in thousandths: screen → border → share.
	Panes map[string]map[string]int `json:"panes,omitempty"`
}

// RecentRun is a search that was started.
type RecentRun struct {
	Folder string    `json:"folder"`
	Title  string    `json:"title,omitempty"`
	When   time.Time `json:"when"`
}

// The version of the state's format, the maximum number of specs (and also of runs), and the maximum size in bytes.
const (
	stateVersion = 1
	most         = 30
	maxState     = 4 << 20
)

// StateFile returns the path of the state, in XDG_STATE_HOME or otherwise in ~/.local/state. On Windows and
// macOS, and if there is no home folder, the file is in the folder of the preferences instead of
// ~/.local/state.
func StateFile() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "sonde", "state.json"), nil
	}
	if dir, err := os.UserHomeDir(); err == nil && runtime.GOOS != "windows" && runtime.GOOS != "darwin" {
		return filepath.Join(dir, ".local", "state", "sonde", "state.json"), nil
	}
	prefs, err := PreferencesFile()
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(prefs), "state.json"), nil
}

// SpecSource returns the name of a spec in the state: the absolute path of a file, or a URL without user,
// query and fragment, which may be secret.
func SpecSource(spec string) string {
	if u, err := url.Parse(spec); err == nil && u.Host != "" {
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		return u.String()
	}
	if whole, err := filepath.Abs(spec); err == nil {
		return whole
	}
	return spec
}

// ErrNewer is the error for a state that a newer version of Sonde wrote. Such a state is not changed.
var ErrNewer = errors.New("a newer Sonde wrote it, and this one does not change it: update Sonde")

// ReadState reads the state. If the file does not exist, it returns an empty state. If the file cannot be read, it
// returns an empty state and an error.
func ReadState(path string) (State, error) {
	data, err := readUpTo(path, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	var s State
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err == nil && s.Version > stateVersion {
		err = ErrNewer
	}
	if err != nil {
		return State{}, fmt.Errorf("the saved state %q is ignored: %w", path, err)
	}
	return s, nil
}

// ChangeState reads the state, changes it and writes it atomically, under a lock. It returns ErrNewer if a
// newer version of Sonde wrote the state.
func ChangeState(path string, change func(*State)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("cannot save the recent specs and searches: %w", err)
	}
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("cannot save the recent specs and searches: %w", err)
	}
	defer lock.Unlock()
	s, err := ReadState(path) // an invalid state is replaced; the app has reported it
	if errors.Is(err, ErrNewer) {
		return err
	}
	change(&s)
	s.Version = stateVersion
	data, err := json.MarshalIndent(s, "", "  ")
	if err == nil {
		err = maybe.WriteFile(path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("cannot save the recent specs and searches: %w", err)
	}
	return nil
}

// Spec returns the state of a spec. It returns false if there is none.
func (s State) Spec(source string) (RecentSpec, bool) {
	i := slices.IndexFunc(s.Specs, func(x RecentSpec) bool { return x.Source == source })
	if i < 0 {
		return RecentSpec{}, false
	}
	return s.Specs[i], true
}

// PutSpec adds a spec, or updates it, and moves it to the front of the recent specs.
func (s *State) PutSpec(x RecentSpec) {
	rest := slices.DeleteFunc(s.Specs, func(y RecentSpec) bool { return y.Source == x.Source })
	s.Specs = first(x, rest)
}

// PutRun adds a run, or updates it, and moves it to the front of the recent runs.
func (s *State) PutRun(x RecentRun) {
	rest := slices.DeleteFunc(s.Runs, func(y RecentRun) bool { return y.Folder == x.Folder })
	s.Runs = first(x, rest)
}

func first[T any](x T, rest []T) []T {
	all := append([]T{x}, rest...)
	return all[:min(len(all), most)]
}
