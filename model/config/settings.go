package config

import (
	"math"
	"strconv"
	"strings"

	"sonde/model"
)

func (r *reader) budget(to *model.Limits) take {
	return func(v *value) {
		r.object(v, "budget", fields{"calls": r.count(&to.Calls, math.MaxInt32), "time": r.duration(&to.Time)})
	}
}

func (r *reader) seed(to **uint64) take {
	return func(v *value) {
		n, err := strconv.ParseUint(v.text, 10, 64)
		if v.kind != isText || err != nil {
			r.fail(v, "a whole number from 0 belongs here, not %s", v.what())
			return
		}
		*to = &n
	}
}

// tuning reads the knobs that are to be turned before the run begins.
func (r *reader) tuning(to *[]model.TuningChange) take {
	share := func(knob model.Knob) take {
		return func(v *value) {
			turn := model.TuningChange{Knob: knob}
			r.share(&turn.Value)(v)
			*to = append(*to, turn)
		}
	}
	number := func(knob model.Knob) take {
		return func(v *value) {
			n := 0
			r.count(&n, model.MaxCount)(v)
			if n == 0 {
				r.fail(v, "%s is at least 1", knob)
			}
			*to = append(*to, model.TuningChange{Knob: knob, Value: float64(n)})
		}
	}
	return func(v *value) {
		r.object(v, "tuning", fields{
			"smart": share(model.KnobSmart), "random": share(model.KnobRandom), "focus": share(model.KnobFocus),
			"population": number(model.KnobPopulation), "mutations": number(model.KnobMutations),
		})
	}
}

// owners reads what belongs to whom.
func (r *reader) owners(to *[]model.OwnedResource) take {
	return func(v *value) {
		r.each(v, func(kid *value) {
			var o model.OwnedResource
			r.object(kid, "owners", fields{"path": r.text(&o.Path), "shared": r.texts(&o.Shared)})
			if !strings.HasSuffix(o.Path, "}") {
				r.fail(kid, "path names one thing that belongs to who made it, such as /orders/{orderId}")
			}
			*to = append(*to, o)
		})
	}
}
