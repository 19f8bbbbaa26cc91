package searchrun

import (
	"cmp"
	"path/filepath"

	"sonde/model"
)

// WithLogFile returns a service that writes its output to a file in the folder of its run, unless it
// already has a log file.
func WithLogFile(s model.Service, folder string) *model.Service {
	s.Log = cmp.Or(s.Log, filepath.Join(folder, "service.log"))
	return &s
}
