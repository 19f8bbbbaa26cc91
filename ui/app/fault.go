package app

import (
	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/ui/app/suite"
	"sonde/ui/tui/screen"
)

// fault is all that the app says of a fault.
func (w *Workspace) fault(f model.Fault) screen.FaultReport {
	suite := w.suite(suite.DefaultFormat, nil)
	curl, err := format.Reproduction(suite, f)
	if err != nil {
		curl = "" // the text says which calls there are
	}
	r := export.Report{BaseURL: suite.BaseURL, Reproduce: func(model.Fault) string { return curl }}
	return screen.FaultReport{Text: export.FaultText(f, r), Curl: curl}
}
