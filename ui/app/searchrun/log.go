package searchrun

import (
	"cmp"
	"path/filepath"

	"sonde/model"
)

// WithLogFile keeps what a service prints in the folder of its run, unless somebody
// said where.
func WithLogFile(s model.Service, folder string) *model.Service {
	s.Log = cmp.Or(s.Log, filepath.Join(folder, "service.log"))
	return &s
}
