package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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

// title returns the title of the API, "" without one.
func (s openSpec) title() string {
	if s.spec == nil {
		return ""
	}
	return s.spec.Title
}
