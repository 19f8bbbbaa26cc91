package ci

import (
	"fmt"

	"sonde/export"
	"sonde/model"
	"sonde/model/config"
)

// AddTo adds the judgement to the report of a run, for all formats.
func (j Judgement) AddTo(r *export.Report, flaky FlakyPolicy) {
	r.Known = map[string]string{}
	for _, f := range j.Known {
		for _, id := range f.IDs() {
			r.Known[id] = f.Remark
		}
	}
	r.FlakyFails = flaky == FlakyFail
	for _, f := range j.New {
		if f.Remark != "" {
			r.Remarks = append(r.Remarks, fmt.Sprintf("%s %s: %s", f.Op, f.Oracle, f.Remark))
		}
	}
	for _, k := range j.Gone {
		r.Remarks = append(r.Remarks, "not found this time: "+KnownText(k))
	}
}

// KnownText returns an entry of a baseline in one line.
func KnownText(k config.KnownFault) string {
	return fmt.Sprintf("%s %s: %s", k.Operation, k.Oracle, k.Signature)
}

// Annotations returns what a CI system shows at the operations in the spec. trouble are the reasons why the run proves
// nothing.
func (j Judgement) Annotations(trouble []string) (all []export.Annotation) {
	for _, text := range trouble {
		all = append(all, export.Annotation{Level: export.AnnotateError, Title: "Sonde", Text: text})
	}
	for _, f := range worstFirst(j.New) {
		all = append(all, export.AnnotationOf(export.AnnotateError, f.Fault, f.Remark))
	}
	for _, f := range worstFirst(j.Flaky) {
		all = append(all, export.AnnotationOf(export.AnnotateWarning, f.Fault, "flaky: it came, and did not recur"))
	}
	for _, k := range j.Gone {
		all = append(all, export.Annotation{
			Level: export.AnnotateNotice, Title: "Sonde: not found this time", Text: KnownText(k), Op: k.Operation,
		})
	}
	return all
}

// worstFirst returns findings with errors before warnings.
func worstFirst(all []Finding) (sorted []Finding) {
	for _, severity := range []model.Severity{model.SeverityError, model.SeverityWarning} {
		for _, f := range all {
			if f.Severity == severity {
				sorted = append(sorted, f)
			}
		}
	}
	return sorted
}
