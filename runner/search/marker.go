package search

import (
	"os"
	"path/filepath"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// marker is the path of the marker file of a run. No service should serve this file. The path is "" if the run has no
// such file.
type marker string

// maxMarkers bounds the number of marker files that runs with the same seed may have on one machine.
const maxMarkers = 100

// writeMarker writes the marker file of a run. It returns "" if Sonde does not start the service on this machine, or
// if the file cannot be written.
func writeMarker(p model.Plan) marker {
	if p.Service == nil {
		return ""
	}
	for n := range uint64(maxMarkers) { // another run with this seed may have a file, or a killed run may have left one
		path := filepath.Join(os.TempDir(), oracle.MarkerName(p.Seed+n))
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			continue
		}
		_, err = f.WriteString(oracle.MarkerContent(path))
		if closing := f.Close(); err == nil && closing == nil {
			return marker(path)
		}
		marker(path).remove()
		break
	}
	return ""
}

// remove removes the file. An error has no consequences: the file is small, and later runs use other names.
func (m marker) remove() {
	if m != "" {
		_ = os.Remove(string(m))
	}
}
