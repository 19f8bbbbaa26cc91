package config

import (
	"math"

	"sonde/model"
)

// CI is the section ci: settings of sonde ci. Fields whose keys are not in the file are zero.
type CI struct {
	Limits   model.Limits // the budget; if it is zero, that of the search counts
	Baseline string       // the path of the baseline
	Flaky    string       // the policy for flaky faults: warn, fail or ignore
	Export   string       // the format of the tests to export
}

func (r *searchDecoder) ci(to *CI) decodeFunc {
	return func(v *value) {
		r.decoder.object(v, "ci", fields{
			"calls":    r.decoder.count(&to.Limits.Calls, math.MaxInt32),
			"time":     r.decoder.duration(&to.Limits.Time),
			"baseline": r.decoder.text(&to.Baseline),
			"flaky":    r.decoder.oneOf(&to.Flaky, "warn", "fail", "ignore"),
			"export":   r.decoder.text(&to.Export),
		})
	}
}
