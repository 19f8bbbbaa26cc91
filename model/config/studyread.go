package config

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"sonde/model"
)

// studyDecoder decodes the file of a study.
type studyDecoder struct {
	decoder *decoder
	study   StudyConfig
	shape   shape   // the defaults for all services
	shapes  []shape // values of a service that replace the defaults, by index of the service
	ways    []wayValues
	changes *value // the value of the key sampling, which changes the strategy's sampling; nil if the file does not have the key
}

// fields returns the keys of the file, with their decoders.
func (r *studyDecoder) fields() fields {
	all := r.shapeFields(&r.shape)
	all["smart"], all["strategy"] = r.probabilities(&r.study.Smart), r.strategy(&r.study.Sampling)
	all["sampling"] = func(v *value) { r.changes = v } // the strategy may follow
	all["sizes"] = r.sizes(&r.study.Sizes)
	all["ways"] = r.readWays()
	all["white"] = r.modes(&r.study.White)
	all["mutants"] = r.mutants(&r.study.Mutants)
	all["lists"] = r.lists()
	all["services"] = r.services()
	return all
}

func (r *studyDecoder) shapeFields(to *shape) fields {
	return fields{"budgets": r.series(&to.budgets), "seeds": r.seeds(&to.seeds)}
}

// complete returns the study with defaults for missing keys.
func (r *studyDecoder) complete() StudyConfig {
	s := r.study
	switch {
	case len(s.Lists) > 0:
		s.Smart = []float64{0} // a study of lists makes no search, so P has no effect
	case len(s.Smart) == 0:
		s.Smart = slices.Clone(usualSmart)
	}
	for i := range s.Services {
		s.Services[i].Budgets = r.shapes[i].within(r.shape)
	}
	return s
}

func (r *studyDecoder) services() decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			s, own := StudiedService{}, shape{}
			known := r.shapeFields(&own)
			known["manual"] = r.manual(&s.Manual)
			known["name"], known["demo"], known["config"] = r.decoder.text(&s.Name), r.decoder.flag(&s.Demo), r.decoder.text(&s.Config)
			r.decoder.object(kid, "a service", known)
			switch {
			case s.Name == "":
				r.decoder.fail(kid, "a service needs a name")
			case slices.ContainsFunc(r.study.Services, func(o StudiedService) bool { return o.Name == s.Name }):
				r.decoder.fail(kid, "there are two services %.60q: names are unique", s.Name)
			case s.Demo && !s.Manual.IsZero():
				r.decoder.fail(kid, "the demo has no tests of its own: remove manual")
			case s.Demo == (s.Config != ""):
				r.decoder.fail(kid, "service %.60q takes one of config, the path of its sonde.yaml, and demo: true", s.Name)
			case len(r.study.Services) == maxServices:
				r.decoder.fail(kid, "there are more than %d services", maxServices)
			}
			r.study.Services, r.shapes = append(r.study.Services, s), append(r.shapes, own)
		})
	}
}

// manual decodes the commands of tests: one command for all, or an object with one for each group.
func (r *studyDecoder) manual(to *ManualTests) decodeFunc {
	command := (&serviceDecoder{decoder: r.decoder}).command
	return func(v *value) {
		if v.kind != isObject {
			command(&to.All)(v)
		} else {
			r.decoder.object(v, "manual", fields{"all": command(&to.All), "unit": command(&to.Unit), "http": command(&to.HTTP)})
		}
		for _, words := range [][]string{to.All, to.Unit, to.HTTP} {
			if len(words) > 0 && (len(words) < 2 || words[0] != "go" || words[1] != "test") {
				r.decoder.fail(v, "%.60q is no go test command, such as go test ./...", strings.Join(words, " "))
			}
		}
	}
}

// wayValues are the keys of a way. strategy and changes are nil if the way does not have these keys.
type wayValues struct {
	name              string
	strategy, changes *value
}

// readWays stores the values of the keys of each way. resolveWays decodes them at the end, because a way may start
// from the sampling of the file, whose key may come after the ways.
func (r *studyDecoder) readWays() decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			var way wayValues
			r.decoder.object(kid, "a way", fields{
				"name":     r.decoder.text(&way.name),
				"strategy": func(v *value) { way.strategy = v },
				"sampling": func(v *value) { way.changes = v },
			})
			switch {
			case way.name == "":
				r.decoder.fail(kid, "a way needs a name")
			case slices.ContainsFunc(r.ways, func(o wayValues) bool { return o.name == way.name }):
				r.decoder.fail(kid, "there are two ways %.60q: names are unique", way.name)
			case len(r.ways) == maxWays:
				r.decoder.fail(kid, "there are more than %d ways", maxWays)
			}
			r.ways = append(r.ways, way)
		})
	}
}

// resolveWays sets the ways of the study. A way without a strategy starts from the sampling of the file.
func (r *studyDecoder) resolveWays() {
	for _, way := range r.ways {
		w := Way{Name: way.name, Sampling: r.study.Sampling}
		if way.strategy != nil {
			r.strategy(&w.Sampling)(way.strategy)
		}
		if way.changes != nil {
			r.sampling(&w.Sampling)(way.changes)
		}
		r.study.Ways = append(r.study.Ways, w)
	}
}

// lists decodes lists of seqs. A list is the name of its rule, or an object with the rule and what restricts condition II.
func (r *studyDecoder) lists() decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			var l SeqList
			rule := r.decoder.oneOf(&l.Rule, "dc", "sc")
			if kid.kind == isObject {
				r.decoder.object(kid, "a list", fields{
					"rule":         rule,
					"min-share":    r.decoder.flag(&l.RequiredOnly),
					"links-only":   r.decoder.flag(&l.LinksOnly),
					"min-evidence": r.decoder.oneOf(&l.MinEvidence, "guess", "name", "place", "declared"),
					"again":        r.decoder.flag(&l.Again),
				})
			} else {
				rule(kid)
			}
			switch {
			case l.Rule == "":
				r.decoder.fail(kid, "a list needs a rule: dc or sc")
			case l.Rule == "sc" && l.isWeighted():
				r.decoder.fail(kid, "rule sc ignores shared values: min-share, links-only and min-evidence need rule dc")
			case slices.Contains(r.study.Lists, l):
				r.decoder.fail(kid, "the list %q is here twice", l.Name())
			case len(r.study.Lists) == maxLists:
				r.decoder.fail(kid, "there are more than %d lists", maxLists)
			}
			r.study.Lists = append(r.study.Lists, l)
		})
	}
}

// checkLists fails if a study of lists has keys that only searches use.
func (r *studyDecoder) checkLists(v *value) {
	if len(r.study.Lists) == 0 {
		return
	}
	hasTests := slices.ContainsFunc(r.study.Services, func(s StudiedService) bool { return !s.Manual.IsZero() })
	for _, key := range []struct {
		name string
		used bool
	}{
		{"smart", len(r.study.Smart) > 0},
		{"strategy", r.study.Sampling != model.DefaultSampling()},
		{"sampling", r.changes != nil},
		{"sizes", r.study.Sizes != model.DefaultSizes()},
		{"ways", len(r.study.Ways) > 0},
		{"white", len(r.study.White) > 0},
		{"mutants", r.study.Mutants.Size > 0},
		{"manual", hasTests},
	} {
		if key.used {
			r.decoder.fail(v, "a study with lists calls seqs and makes no searches: remove %s", key.name)
			return
		}
	}
}

// mutants decodes a number of mutants, or an object with the number and a seed.
func (r *studyDecoder) mutants(to *model.MutantSample) decodeFunc {
	return func(v *value) {
		first := uint64(1)
		size, seed := r.decoder.count(&to.Size, maxMutants), &first
		if v.kind == isObject {
			r.decoder.object(v, "mutants", fields{"sample": size, "seed": r.decoder.seed(&seed)})
		} else {
			size(v)
		}
		to.Seed = *seed
		if to.Size == 0 {
			r.decoder.fail(v, "mutants is how many mutants of each service are tried, at least 1")
		}
	}
}

// probabilities decodes numbers from 0 to 1.
func (r *studyDecoder) probabilities(to *[]float64) decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			p := 0.0
			r.decoder.share(&p)(kid)
			if slices.Contains(*to, p) {
				r.decoder.fail(kid, "%v is here twice", p)
			}
			*to = append(*to, p)
		})
		slices.Sort(*to)
	}
}

// modes decodes one mode or both: black-box (false) and white-box (true).
func (r *studyDecoder) modes(to *[]bool) decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			white := false
			r.decoder.flag(&white)(kid)
			if slices.Contains(*to, white) {
				r.decoder.fail(kid, "%t is here twice", white)
			}
			*to = append(*to, white)
		})
		if len(*to) == 2 {
			*to = []bool{false, true}
		}
	}
}

// strategy decodes the name of a strategy and stores the sampling of the strategy.
func (r *studyDecoder) strategy(to *model.Sampling) decodeFunc {
	return func(v *value) {
		sampling, ok := model.Strategy(v.text).Sampling()
		if v.kind != isText || !ok {
			r.decoder.fail(v, "the strategy is %s or %s, not %s", model.StrategyDefault, model.StrategyPaper, v.what())
			return
		}
		*to = sampling
	}
}

// sampling decodes the key sampling, which changes single settings of the strategy's sampling.
func (r *studyDecoder) sampling(to *model.Sampling) decodeFunc {
	return func(v *value) {
		if v.kind == isText && v.text == string(model.StrategyPaper) {
			r.decoder.fail(v, "sampling takes changes of single settings, not paper: write strategy: paper")
			return
		}
		known := fields{}
		for _, f := range model.SamplingFields {
			known[f.Name] = r.decoder.share(f.Value(to))
		}
		r.decoder.object(v, "sampling", known)
	}
}

// sizes decodes changes of the default sizes.
func (r *studyDecoder) sizes(to *model.Sizes) decodeFunc {
	return func(v *value) {
		known := fields{}
		for _, f := range model.SizeFields {
			known[f.Name] = r.decoder.count(f.Value(to), f.Most)
		}
		r.decoder.object(v, "sizes", known)
		if err := to.Check(); err != nil {
			r.decoder.fail(v, "%v", err)
		}
	}
}

// series decodes budgets. A budget is a number of calls, or an object with calls and seeds.
func (r *studyDecoder) series(to *[]Budget) decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			s := Budget{}
			calls := r.decoder.count(&s.Calls, math.MaxInt32)
			if kid.kind == isObject {
				r.decoder.object(kid, "a budget", fields{
					"calls": calls,
					"seeds": r.seeds(&s.Seeds),
				})
			} else {
				calls(kid)
			}
			switch {
			case s.Calls == 0:
				r.decoder.fail(kid, "a budget is at least 1 call")
			case slices.ContainsFunc(*to, func(o Budget) bool { return o.Calls == s.Calls }):
				r.decoder.fail(kid, "the budget of %d is here twice", s.Calls)
			}
			*to = append(*to, s)
		})
		slices.SortFunc(*to, func(a, b Budget) int { return cmp.Compare(a.Calls, b.Calls) })
	}
}

// seeds decodes seeds. The value is a list of seeds, or the number n for the seeds from 1 to n.
func (r *studyDecoder) seeds(to *[]uint64) decodeFunc {
	return func(v *value) {
		if v.kind != isList {
			n := 0
			r.decoder.count(&n, maxSeeds)(v)
			if n == 0 {
				r.decoder.fail(v, "seeds is how many there are, at least 1, or a list of them")
			}
			*to = upTo(n)
			return
		}
		for _, kid := range v.kids {
			var seed *uint64
			r.decoder.seed(&seed)(kid)
			if r.decoder.err != nil {
				return
			}
			if slices.Contains(*to, *seed) {
				r.decoder.fail(kid, "the seed %d is here twice", *seed)
			}
			*to = append(*to, *seed)
		}
		if len(*to) > maxSeeds {
			r.decoder.fail(v, "there are more than %d seeds", maxSeeds)
		}
	}
}

// upTo returns the seeds from 1 to n.
func upTo(n int) []uint64 {
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = uint64(i) + 1
	}
	return seeds
}
