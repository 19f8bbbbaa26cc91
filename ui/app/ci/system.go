package ci

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"sonde/ui/app/paths"
)

// System is the CI system that runs the command, as far as the command writes for it.
type System struct {
	// GitHub is GitHub Actions, or another system with its commands. Summary is the file for the summary of a step,
	// "" for none.
	GitHub  bool
	Summary string
	GitLab  bool
}

// FindSystem returns the CI system by the variables that it sets.
func FindSystem(env func(string) string) System {
	return System{
		GitHub:  env("GITHUB_ACTIONS") == "true",
		Summary: env("GITHUB_STEP_SUMMARY"),
		GitLab:  env("GITLAB_CI") == "true",
	}
}

// maxSummary is the maximum size of a step's summary in bytes. GitHub shows nothing of a larger one.
const maxSummary = 1 << 20

// ErrSummaryFull is the error of AppendSummary for a text that does not fit.
var ErrSummaryFull = errors.New("the summary of the step has no room: at most 1 MiB is shown")

// AppendSummary appends a text to the summary of a step, unless the summary would then be too large to be shown.
func (s System) AppendSummary(text []byte) error {
	size := int64(0)
	switch info, err := os.Stat(s.Summary); {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("GITHUB_STEP_SUMMARY %q is not a regular file", s.Summary)
	case err == nil:
		size = info.Size()
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("GITHUB_STEP_SUMMARY %q cannot be written: %w", s.Summary, paths.WithoutPath(err))
	}
	if size+int64(len(text)) > maxSummary {
		return ErrSummaryFull
	}
	f, err := os.OpenFile(s.Summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.Write(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY %q cannot be written: %w", s.Summary, paths.WithoutPath(err))
	}
	return nil
}
