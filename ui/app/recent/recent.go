// Package recent remembers which specs and searches were open.
package recent

import (
	"path/filepath"
	"strings"
	"time"

	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/userdata"
)

// SpecTitle is the title of a spec, or its file name.
func SpecTitle(s userdata.RecentSpec) string {
	if strings.TrimSpace(s.Title) == "" {
		return filepath.Base(s.Source)
	}
	return s.Title
}

// RememberRun adds a search to those of late.
func RememberRun(folder, title string) func(*userdata.State) {
	run := userdata.RecentRun{Folder: paths.Absolute(folder), Title: title, When: CurrentTime()}
	return func(s *userdata.State) { s.PutRun(run) }
}

// AddSearch adds a search that was begun without the app, in a folder that the
// person named.
func AddSearch(folder, title string) {
	if file := MemoryFile(); file != "" && folder != "" {
		_ = userdata.ChangeState(file, RememberRun(folder, title)) // the search is there all the same
	}
}

// CurrentTime is the time in whole seconds of UTC.
func CurrentTime() time.Time { return time.Now().UTC().Truncate(time.Second) }

// MemoryFile is the file of what is remembered, "" where there is no place for it.
func MemoryFile() string {
	file, _ := userdata.StateFile() // nothing is remembered then
	return file
}

// ReadRecent is what is remembered and still there, but for the demo.
func ReadRecent() (specs []userdata.RecentSpec, runs []userdata.RecentRun) {
	state, _ := userdata.ReadState(MemoryFile()) // the app says what is wrong with it
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
