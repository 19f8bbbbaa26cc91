package searchrun

import (
	"cmp"
	"path/filepath"

	"sonde/model"
)

// WithLogFile returns a service whose output goes to a file in the folder of its run, unless it has a
// log file already.
func WithLogFile(s model.Service, folder string) *model.Service {
	s.Log = cmp.Or(s.Log, filepath.Join(folder, "service.log"))
	return &s
}
