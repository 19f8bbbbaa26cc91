package runreport

import (
	"sonde/export"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/report"
)

// Live returns what the page of a running search shows of a snapshot. r has what is known of the run from its start. The
// page leaves out what only the folder of an ended run has, and the graph of resources, which takes long.
func Live(r export.Report, spec *model.Spec, last model.Snapshot) report.Run {
	r.Summary, r.Tests, r.Faults = last.Summary, last.Tests, last.Faults
	run := report.Run{
		Report: r, Spec: draw.Clean(specName(r.Spec)), Live: true, Tuning: last.Tuning, Commands: last.Marks, Curve: last.Curve,
		Answers: last.Grid, Declared: declared(spec),
	}
	run.BaseURL = withoutUser(r.BaseURL)
	addGap(&run, "The page follows a running search. The report of its folder also has requests with their answers, and the resources.")
	return run
}
