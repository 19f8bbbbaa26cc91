package results

import (
	"sonde/analysis/specdiff"
	"sonde/model"
	"sonde/ui/app/affected"
	"sonde/ui/console"
)

// DiffReport is the JSON of sonde diff.
type DiffReport struct {
	Old versionReport `json:"old"`
	New versionReport `json:"new"`
	// Breaking is true if an operation was removed or moved, or has a breaking change.
	Breaking   bool                  `json:"breaking"`
	Unchanged  int                   `json:"unchanged"`
	Operations []diffOperationReport `json:"operations"`
	Feeders    []feederChangeReport  `json:"feeders"`
	Values     []valueChangeReport   `json:"values"`
	Groups     []setChangeReport     `json:"groups"`
	Clusters   []setChangeReport     `json:"clusters"`
	// Tests is absent without --tests.
	Tests *affectedTestsReport `json:"tests,omitempty"`
}

type versionReport struct {
	Source     string `json:"source"`
	Title      string `json:"title"`
	Version    string `json:"version"`
	Operations int    `json:"operations"`
	Problems   int    `json:"problems"`
}

type diffOperationReport struct {
	Status   specdiff.Status        `json:"status"`
	Old      model.OpID             `json:"old,omitempty"`
	New      model.OpID             `json:"new,omitempty"`
	Breaking bool                   `json:"breaking"`
	Changes  []contractChangeReport `json:"changes"`
}

type contractChangeReport struct {
	Rule     string        `json:"rule"`
	Part     specdiff.Part `json:"part"`
	Breaking bool          `json:"breaking"`
	Text     string        `json:"text"`
}

type feederChangeReport struct {
	Operation model.OpID     `json:"operation"`
	In        model.Location `json:"in"`
	At        string         `json:"at"`
	Value     string         `json:"value"`
	Required  bool           `json:"required"`
	// Lost is true if the old version had the feeders and the new version does not have them. It is false if only the
	// new version has them.
	Lost    bool         `json:"lost"`
	Feeders []model.OpID `json:"feeders"`
}

type valueChangeReport struct {
	Old             string       `json:"old,omitempty"`
	New             string       `json:"new,omitempty"`
	EmittersAdded   []model.OpID `json:"emitters_added"`
	EmittersRemoved []model.OpID `json:"emitters_removed"`
	TakersAdded     []model.OpID `json:"takers_added"`
	TakersRemoved   []model.OpID `json:"takers_removed"`
}

type setChangeReport struct {
	Status  specdiff.SetStatus `json:"status"`
	Old     []string           `json:"old"`
	New     []string           `json:"new"`
	Added   []model.OpID       `json:"added"`
	Removed []model.OpID       `json:"removed"`
}

type affectedTestsReport struct {
	Total     int                  `json:"total"`
	Affected  []affectedTestReport `json:"affected"`
	Unmatched int                  `json:"unmatched_calls"`
	Unread    []unreadFileReport   `json:"unread"`
}

type affectedTestReport struct {
	File    string       `json:"file"`
	Name    string       `json:"name"`
	Removed []model.OpID `json:"removed"`
	Moved   []model.OpID `json:"moved"`
	Broken  []model.OpID `json:"broken"`
	Unknown []model.OpID `json:"unknown"`
}

type unreadFileReport struct {
	File string `json:"file"`
	Why  string `json:"why"`
}

// NewDiffReport returns the report of a diff. tests is nil without --tests.
func NewDiffReport(older, newer *model.Spec, d *specdiff.Diff, tests *affected.Tests) DiffReport {
	r := DiffReport{
		Old: reportVersion(older), New: reportVersion(newer), Breaking: d.Breaking(), Unchanged: d.Same,
		Operations: []diffOperationReport{}, Feeders: []feederChangeReport{}, Values: []valueChangeReport{},
		Groups: reportSets(d.Groups), Clusters: reportSets(d.Clusters), Tests: reportTests(tests),
	}
	for _, op := range d.Operations {
		one := diffOperationReport{Status: op.Status, Old: op.Old, New: op.New, Breaking: op.Breaking(), Changes: []contractChangeReport{}}
		for _, c := range op.Changes {
			one.Changes = append(one.Changes, contractChangeReport(c))
		}
		r.Operations = append(r.Operations, one)
	}
	for _, f := range d.Feeders {
		r.Feeders = append(r.Feeders, feederChangeReport(f))
	}
	for _, v := range d.Values {
		r.Values = append(r.Values, valueChangeReport{
			Old: v.Old, New: v.New,
			EmittersAdded: console.NonNilSlice(v.EmittersAdded), EmittersRemoved: console.NonNilSlice(v.EmittersRemoved),
			TakersAdded: console.NonNilSlice(v.TakersAdded), TakersRemoved: console.NonNilSlice(v.TakersRemoved),
		})
	}
	return r
}

func reportVersion(s *model.Spec) versionReport {
	return versionReport{
		Source: s.Source, Title: s.Title, Version: s.Version, Operations: len(s.Operations), Problems: len(s.Problems),
	}
}

func reportSets(all []specdiff.SetChange) []setChangeReport {
	list := []setChangeReport{}
	for _, c := range all {
		list = append(list, setChangeReport{
			Status: c.Status, Old: emptyIfNil(c.Old), New: emptyIfNil(c.New),
			Added: console.NonNilSlice(c.Added), Removed: console.NonNilSlice(c.Removed),
		})
	}
	return list
}

func reportTests(tests *affected.Tests) *affectedTestsReport {
	if tests == nil {
		return nil
	}
	r := &affectedTestsReport{
		Total: tests.Total, Unmatched: tests.Unmatched, Affected: []affectedTestReport{}, Unread: []unreadFileReport{},
	}
	for _, t := range tests.Affected {
		r.Affected = append(r.Affected, affectedTestReport{
			File: t.File, Name: t.Name, Removed: console.NonNilSlice(t.Removed), Moved: console.NonNilSlice(t.Moved),
			Broken: console.NonNilSlice(t.Broken), Unknown: console.NonNilSlice(t.Unknown),
		})
	}
	for _, u := range tests.Unread {
		r.Unread = append(r.Unread, unreadFileReport(u))
	}
	return r
}
