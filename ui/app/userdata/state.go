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

// State is what Sonde remembers from one start to the next. It holds nothing that is
// sent to a service and nobody's credentials.
type State struct {
	Version int          `json:"version"`
	Specs   []RecentSpec `json:"specs"` // the one opened last first
	Runs    []RecentRun  `json:"runs"`  // the one begun last first
}

// RecentSpec is a spec that was opened, and how it was left.
type RecentSpec struct {
	Source string    `json:"source"` // see Source
	Title  string    `json:"title,omitempty"`
	When   time.Time `json:"when"`
	Place  Place     `json:"place"`
}

// Place is where a person was in a spec.
type Place struct {
	Tab       int        `json:"tab,omitempty"`
	Operation string     `json:"operation,omitempty"`
	Filter    string     `json:"filter,omitempty"`    // of the operations
	SeqFilter string     `json:"seqFilter,omitempty"` // of the seqs
	SeqGroups string     `json:"seqGroups,omitempty"` // by what the seqs stand below headings
	Picks     [][]string `json:"picks,omitempty"`     // seqs, as operations
	Built     [][]string `json:"built,omitempty"`     // by the person, as operations
}

// RecentRun is a search that was begun.
type RecentRun struct {
	Folder string    `json:"folder"`
	Title  string    `json:"title,omitempty"`
	When   time.Time `json:"when"`
}

// stateVersion is that of the file's form, and most how many specs and runs it holds.
const (
	stateVersion = 1
	most         = 30
	mostState    = 4 << 20
)

// StateFile is where the state is kept: in the place that XDG has for that, else beside
// the preferences.
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

// SpecSource names a spec in the state: a file by its whole path, a URL without the log-in,
// the query and the fragment, which may be secret.
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

// ErrNewer is the error of a state that a newer Sonde wrote: it is not changed.
var ErrNewer = errors.New("a newer Sonde wrote it, and this one does not change it: update Sonde")

// ReadState reads what is remembered, which is nothing where there is no file. One that
// cannot be read is left aside, and the error says so.
func ReadState(path string) (State, error) {
	data, err := readUpTo(path, mostState)
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
		return State{}, fmt.Errorf("what was remembered is left aside: %q: %w", path, err)
	}
	return s, nil
}

// ChangeState reads what is remembered, has it changed and writes it, whole or not at all;
// others that do so at the same time wait. What a newer Sonde wrote stays as it is.
func ChangeState(path string, change func(*State)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("nothing can be remembered: %w", err)
	}
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("nothing can be remembered: %w", err)
	}
	defer lock.Unlock()
	s, err := ReadState(path) // one that cannot be read is replaced: who opened it was told
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
		return fmt.Errorf("nothing can be remembered: %w", err)
	}
	return nil
}

// Spec returns what is remembered of a spec.
func (s State) Spec(source string) (RecentSpec, bool) {
	i := slices.IndexFunc(s.Specs, func(x RecentSpec) bool { return x.Source == source })
	if i < 0 {
		return RecentSpec{}, false
	}
	return s.Specs[i], true
}

// PutSpec remembers a spec as the one that was opened last.
func (s *State) PutSpec(x RecentSpec) {
	rest := slices.DeleteFunc(s.Specs, func(y RecentSpec) bool { return y.Source == x.Source })
	s.Specs = first(x, rest)
}

// PutRun remembers a run as the one that was begun last.
func (s *State) PutRun(x RecentRun) {
	rest := slices.DeleteFunc(s.Runs, func(y RecentRun) bool { return y.Folder == x.Folder })
	s.Runs = first(x, rest)
}

func first[T any](x T, rest []T) []T {
	all := append([]T{x}, rest...)
	return all[:min(len(all), most)]
}
