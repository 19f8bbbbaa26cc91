package search

import (
	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// runView holds the data that the panes of a run draw: the run, the service of the app, the open spec, and the names of
// operations. A run that was read from disk may be of another service. Panes only read a runView.
type runView struct {
	run      *trackedRun
	host     screen.Service
	analyzed *screen.AnalyzedSpec // nil before a spec was opened
	names    draw.SeqNames
}

// resumable reports whether the run can be resumed with this service.
func (v runView) resumable() bool {
	r, s := v.run, supported(v.run.settings, v.host)
	return v.host.URL != "" && r.handle != nil && r.ended() && r.snap.Summary.Cancelled && r.share() < 1 &&
		s.WhiteBox == r.settings.WhiteBox && s.Net == r.settings.Net
}

// supported returns a copy of settings that the service supports: it switches off white-box search and the virtual
// network if the service does not support them. A search that was read from disk may be of another service.
func supported(s usecase.SearchSettings, host screen.Service) usecase.SearchSettings {
	s.WhiteBox = s.WhiteBox && host.Probes != usecase.ProbesUnavailable
	s.Net = s.Net && host.Net != usecase.NetworkUnavailable
	return s
}

// noSource says why the page shows no source and, usually, what the user can do.
func (v runView) noSource() string {
	for _, w := range v.run.snap.Summary.Warnings {
		if w.Kind == model.WarnProbes {
			return w.Text
		}
	}
	switch {
	case v.run.past != nil && v.run.settings.WhiteBox:
		return "The source is shown during a search. What this one reached of it is kept: go tool cover -html=" +
			draw.Clean(v.run.folder) + "/cover.out"
	case v.run.starting && v.run.builds:
		return "The service is being built with probes. Then this page shows what the search reaches of its source."
	case v.host.Probes == usecase.ProbesUnavailable:
		return "Nothing is known of the service's source: the search looks at its answers only.\n" +
			"Sonde can build a Go service with probes: write sut: {build: ./cmd/server} into sonde.yaml.\n" +
			"Then this page shows its source with what is covered."
	}
	return "Nothing is known of the service's source: the search looks at its answers only.\n" +
		"Start one with white-box on: then this page shows the source with what is covered."
}
