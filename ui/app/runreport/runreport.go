// Package runreport collects what the page of a run shows: from the folder of the run, and from its spec as it is
// today.
package runreport

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/specfile"
	"sonde/ui/draw"
	"sonde/ui/report"
)

// Spec is the spec of a run as it is today. Err is the reason why it could not be read.
type Spec struct {
	*model.Spec
	Err error
}

// New returns what the page of a run shows. r is the report of the run, and dir its folder. Gaps of the result name
// the files that are missing or damaged.
func New(dir string, stored codec.StoredRun, history codec.RunHistory, r export.Report, spec Spec) report.Run {
	run := report.Run{
		Report: r, Name: dir, Spec: specName(stored.Spec), SpecHash: stored.SpecHash, Mode: mode(stored),
		Tuning: stored.Tuning, Commands: stored.Commands, Curve: history.Curve, Answers: stored.Answers,
	}
	run.BaseURL = withoutUser(r.BaseURL)
	addCoverage(&run, dir)
	addExchanges(&run, dir)
	addSpec(&run, spec)
	return run
}

// addGap adds a line about what the page cannot show.
func addGap(run *report.Run, format string, args ...any) {
	run.Gaps = append(run.Gaps, draw.Clean(fmt.Sprintf(format, args...)))
}

func addCoverage(run *report.Run, dir string) {
	files, err := codec.OpenCover(dir)
	if err != nil {
		addGap(run, "The coverage by file is missing: %v.", err)
	}
	run.Files = files
}

// addSpec adds what the spec says: the declared statuses, and the graph of resources.
func addSpec(run *report.Run, spec Spec) {
	switch {
	case spec.Err != nil:
		addGap(run, "The resources and the declared statuses are missing, because the spec cannot be read: %v.", spec.Err)
		return
	case spec.Spec == nil:
		addGap(run, "The resources and the declared statuses are missing, because the run has no path of its spec.")
		return
	case run.SpecHash != "" && !spec.SameContract(run.SpecHash):
		addGap(run, "The spec has changed since the run. The resources and the declared statuses are those of today.")
	}
	run.Declared = declared(spec.Spec)
	if g := resources(spec.Spec, run.Answers); len(g.Nodes) > 0 {
		run.Resources = &g
	}
}

// declared returns the statuses that the operations of a spec declare, without classes such as 4XX.
func declared(spec *model.Spec) map[model.OpID][]int {
	all := map[model.OpID][]int{}
	for _, op := range spec.Operations {
		for _, response := range op.Responses {
			if status, err := strconv.Atoi(response.Status); err == nil {
				all[op.ID] = append(all[op.ID], status)
			}
		}
	}
	return all
}

// mode says what the run saw of its service.
func mode(run codec.StoredRun) string {
	text := "black-box"
	switch {
	case run.Driver != nil:
		text = "white-box by a driver"
	case run.Code != nil:
		text = "white-box"
	}
	if run.Net != nil {
		text += ", in a virtual network"
	}
	if run.Reset == nil && run.Driver == nil {
		text += ", without a reset"
	}
	return text
}

// specName returns the path of a spec, or its URL without its user and its query, which may be secrets.
func specName(source string) string {
	if !strings.Contains(source, "://") {
		return source
	}
	return specfile.PublicURL(source)
}

// withoutUser returns a URL without its user, who may have a password. A URL with the placeholder of a port is no valid
// URL, and has no user.
func withoutUser(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	u.User = nil
	return u.String()
}

// pathOf returns the path and the query of a URL.
func pathOf(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return target
	}
	return u.RequestURI()
}
