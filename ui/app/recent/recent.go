// Package recent remembers which specs and searches were used recently.
package recent

import (
	"path/filepath"
	"strings"
	"time"

	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/userdata"
)

// SpecTitle returns the title of a spec, or its file name if it has none.
func SpecTitle(s userdata.RecentSpec) string {
	if strings.TrimSpace(s.Title) == "" {
		return filepath.Base(s.Source)
	}
	return s.Title
}

// RememberRun returns a function that adds a search to the recent searches of a state.
func RememberRun(folder, title string) func(*userdata.State) {
	run := userdata.RecentRun{Folder: paths.Absolute(folder), Title: title, When: CurrentTime()}
	return func(s *userdata.State) { s.PutRun(run) }
}

// AddSearch adds a search in a folder to the recent ones. It ignores errors, because the search itself is
// stored elsewhere.
func AddSearch(folder, title string) {
	if file := MemoryFile(); file != "" && folder != "" {
		_ = userdata.ChangeState(file, RememberRun(folder, title))
	}
}

// CurrentTime returns the time in UTC, in whole seconds.
func CurrentTime() time.Time { return time.Now().UTC().Truncate(time.Second) }

// MemoryFile returns the path of the state file, or "" if there is no folder for it.
func MemoryFile() string {
	file, _ := userdata.StateFile() // on an error, nothing is stored
	return file
}

// ReadRecent returns the recent specs and runs. It leaves out the demo, and files and folders that no longer exist.
func ReadRecent() (specs []userdata.RecentSpec, runs []userdata.RecentRun) {
	state, _ := userdata.ReadState(MemoryFile()) // the app reports an invalid file
	for _, s := range state.Specs {
		if s.Source != service.DemoSource && (strings.Contains(s.Source, "://") || paths.Exists(s.Source)) {
			specs = append(specs, s)
		}
	}
	for _, r := range state.Runs {
		if paths.Exists(filepath.Join(r.Folder, "run.json")) {
			runs = append(runs, r)
		}
	}
	return specs, runs
}
