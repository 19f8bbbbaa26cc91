package config

import (
	"math"
	"strings"

	"sonde/model"
)

// searchDecoder decodes the settings of a search.
type searchDecoder struct {
	decoder *decoder
	config  *Config
}

// fields returns the keys of the file for a search, with their decoders.
func (r *searchDecoder) fields() fields {
	c := r.config
	return fields{
		"budget":  r.budget(&c.Limits),
		"seed":    r.decoder.seed(&c.Seed),
		"rate":    r.decoder.rate(&c.Rate),
		"timeout": r.decoder.duration(&c.Timeout),
		"tuning":  r.tuning(&c.Tuning),
		"include": r.rules(&c.Scope.Include),
		"exclude": r.rules(&c.Scope.Exclude),
		"oracles": r.decoder.texts(&c.Oracles),
		"owners":  r.owners(&c.Owners),

		"security":   r.decoder.flag(&c.Security),
		"restricted": r.restricted(&c.Restricted),

		"workers": r.decoder.count(&c.Workers, model.MaxCount),
		"ci":      r.ci(&c.CI),
	}
}

func (r *searchDecoder) budget(to *model.Limits) decodeFunc {
	return func(v *value) {
		r.decoder.object(v, "budget", fields{
			"calls": r.decoder.count(&to.Calls, math.MaxInt32),
			"time":  r.decoder.duration(&to.Time),
		})
	}
}

// tuning decodes the section tuning: changes of the default tuning.
func (r *searchDecoder) tuning(to *[]model.TuningChange) decodeFunc {
	share := func(knob model.Knob) decodeFunc {
		return func(v *value) {
			turn := model.TuningChange{Knob: knob}
			r.decoder.share(&turn.Value)(v)
			*to = append(*to, turn)
		}
	}
	number := func(knob model.Knob) decodeFunc {
		return func(v *value) {
			n := 0
			r.decoder.count(&n, model.MaxCount)(v)
			if n == 0 {
				r.decoder.fail(v, "%s is at least 1", knob)
			}
			*to = append(*to, model.TuningChange{Knob: knob, Value: float64(n)})
		}
	}
	return func(v *value) {
		r.decoder.object(v, "tuning", fields{
			"smart":      share(model.KnobSmart),
			"random":     share(model.KnobRandom),
			"focus":      share(model.KnobFocus),
			"population": number(model.KnobPopulation),
			"mutations":  number(model.KnobMutations),
		})
	}
}

// owners decodes the section owners: resources that belong to the user who created them.
func (r *searchDecoder) owners(to *[]model.OwnedResource) decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			var o model.OwnedResource
			r.decoder.object(kid, "owners", fields{
				"path":   r.decoder.text(&o.Path),
				"shared": r.decoder.texts(&o.Shared),
			})
			if !strings.HasSuffix(o.Path, "}") {
				r.decoder.fail(kid, "path names one resource that belongs to its creator, such as /orders/{orderId}")
			}
			*to = append(*to, o)
		})
	}
}
