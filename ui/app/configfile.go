package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sonde/model/config"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"

	"github.com/google/renameio/v2/maybe"
)

// changeConfig replaces the text of the configuration file by the result of change, and returns the file's
// path. If the file does not exist, change gets a text with the spec and the service. It is an error if the
// file exists but Sonde did not read it.
func (s *session) changeConfig(change func(text []byte) ([]byte, error)) (path string, err error) {
	now := s.state()
	path = cmp.Or(now.config.Path, config.FileName)
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		source := service.RelativeSpec(s.options.Source, filepath.Dir(path))
		text = config.Draft{Title: now.title(), Config: config.Config{Spec: source, URL: now.service.URL}}.Text()
	case err != nil:
		return "", fmt.Errorf("%q cannot be read: %w", path, paths.WithoutPath(err))
	case now.config.Path == "":
		return "", fmt.Errorf("%s is about another spec or service and was not read: change it by hand", path)
	}
	out, err := change(text)
	if err != nil {
		return "", fmt.Errorf("%s stays as it is: %w", path, err)
	}
	if err := maybe.WriteFile(path, out, 0o644); err != nil {
		return "", fmt.Errorf("%q cannot be written: %w", path, paths.WithoutPath(err))
	}
	s.setConfigPath(path)
	return path, nil
}

// readCorrections reads the corrections of values from the configuration file again, because the user may have edited
// the file. The corrections apply to specs that are loaded later. Changes of other settings in the file have no
// effect. If the file is missing, there are no corrections.
func (s *session) readCorrections() error {
	now := s.state().config
	if now.Path == "" {
		return nil
	}
	c, err := config.LoadEnvironment(now.Path, now.Environment)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.setCorrections(c.Values)
	return nil
}

// fileStamp returns a text that changes when one of a spec's files or the configuration file changes. It is "" if the
// spec has files on this machine and none of them exists. Files that are URLs or standard input do not count.
func (s *session) fileStamp(files []string) string {
	local := slices.DeleteFunc(slices.Clone(files), func(file string) bool { return file == "-" || strings.Contains(file, "://") })
	stamp := paths.FileStamp(local)
	if path := s.state().config.Path; path != "" && (stamp != "" || len(local) == 0) {
		stamp += paths.FileStamp([]string{path})
	}
	return stamp
}

func (s openSpec) title() string {
	if s.spec == nil {
		return ""
	}
	return s.spec.Title
}
