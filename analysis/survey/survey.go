// Package survey measures many specs in the way of the distiller paper. It computes a row of numbers for each case.
// From these rows it computes Tables 1 to 3 and Figures 2 and 3 of the paper.
//
// The package reads no files. The caller loads the specs and passes them one at a time, in any order. The caller can
// release each spec afterwards.
package survey

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
)

// Options select how specs are examined, and which cases the tables and figures count.
type Options struct {
	match.Mode
	distil.AsPrinted
	Omission Omission
}

// Omission is what the tables and figures leave out if a listing gave up. The zero value means OmitCase.
type Omission string

// The omissions: only the case whose listing gave up, or all cases of its service.
const (
	// OmitCase leaves out the case whose listing gave up.
	OmitCase Omission = "case"
	// OmitService leaves out all cases of the service. The paper's numbers add up only in this way. Of 442 services,
	// 32 gave up and 410 were examined. Of 2,282 cases, 125 belong to the 32 services, and 2,157 were examined.
	OmitService Omission = "service"
)

// ParseOmission returns the omission called name, or an error that lists the omissions.
func ParseOmission(name string) (Omission, error) {
	switch o := Omission(name); o {
	case OmitCase, OmitService:
		return o, nil
	default:
		return "", fmt.Errorf("%q is not what can be left out; give %s or %s", name, OmitCase, OmitService)
	}
}

// Case is a case of the paper: the operations with one tag of a service. It has the sizes of the listings for these
// operations.
type Case struct {
	Service string // the path of the spec, relative to the surveyed folder
	Tag     string // "" for the operations without a tag
	// Operations and Groups are the numbers of operations and groups.
	Operations, Groups int
	DC, SC             Listing
	// Needed is DC with condition II restricted to required values.
	Needed Listing
}

// GaveUp reports whether rule DC or rule SC gave up. The listing Needed does not count.
func (c Case) GaveUp() bool { return c.DC.GaveUp || c.SC.GaveUp }

// Listing describes the seqs that one rule lists for a case.
type Listing struct {
	Seqs   int
	GaveUp bool // there are more seqs than listed
	// Touched is the sum over all seqs of the number of groups that the seq touches.
	Touched int
	// Covered is the number of operations that appear in a seq.
	Covered int
}

// GroupsPerSeq returns the mean number of groups that a seq touches, the
// paper's n_g. ok is false if no seq is listed.
func (l Listing) GroupsPerSeq() (mean float64, ok bool) {
	if l.Seqs == 0 {
		return 0, false
	}
	return float64(l.Touched) / float64(l.Seqs), true
}

// ExamineSpec returns a case for each tag of a spec, sorted by tag. service is the Service of these cases. The error
// is the context's.
func ExamineSpec(ctx context.Context, service string, spec *model.Spec, o Options) ([]Case, error) {
	var cases []Case
	whole := analysis.Analyze(spec, analysis.Options{Mode: o.Mode})
	tagged := byTag(spec.Operations)
	for _, tag := range sortedTags(tagged) {
		c, err := examine(ctx, whole.Subset(tagged[tag]), o.AsPrinted)
		if err != nil {
			return nil, err
		}
		// A clone of the tag does not keep the whole document in memory.
		c.Service, c.Tag = service, strings.Clone(tag)
		cases = append(cases, c)
	}
	return cases, nil
}

// byTag returns the operations of each tag, in the same order as Spec.OperationsByTag.
func byTag(ops []*model.Operation) map[string][]*model.Operation {
	tagged := map[string][]*model.Operation{}
	for _, op := range ops {
		for _, tag := range op.CaseTags() {
			if have := tagged[tag]; len(have) == 0 || have[len(have)-1] != op {
				tagged[tag] = append(have, op)
			}
		}
	}
	return tagged
}

func sortedTags(tagged map[string][]*model.Operation) []string {
	tags := make([]string, 0, len(tagged))
	for tag := range tagged {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	return tags
}

// examine returns the case of an analysis, without Service and Tag.
func examine(ctx context.Context, part *analysis.Analysis, printed distil.AsPrinted) (c Case, err error) {
	groups := part.ValueGroups()
	c = Case{Operations: len(part.Operations), Groups: len(groups)}
	index := valuegroup.NewGroupIndex(groups)
	for _, rule := range []struct {
		into *Listing
		distil.Options
	}{
		{&c.DC, distil.Options{Rule: distil.RuleDC}},
		{&c.SC, distil.Options{Rule: distil.RuleSC}},
		{&c.Needed, distil.Options{Rule: distil.RuleDC, RequiredOnly: true}},
	} {
		rule.AsPrinted = printed
		l, err := distil.ListSeqs(ctx, part.ValuesTable(), rule.Options)
		if err != nil {
			return Case{}, err
		}
		*rule.into = count(l, index)
	}
	return c, nil
}

func count(l distil.Listing, groups valuegroup.GroupIndex) Listing {
	c := Listing{Seqs: len(l.Seqs), GaveUp: l.GaveUp}
	covered := map[model.OpID]bool{}
	for _, seq := range l.Seqs {
		c.Touched += groups.CountTouched(seq)
		for _, op := range seq {
			covered[op] = true
		}
	}
	c.Covered = len(covered)
	return c
}

// compare orders cases by the path of the service and then by tag.
func compare(a, b Case) int {
	return cmp.Or(strings.Compare(a.Service, b.Service), strings.Compare(a.Tag, b.Tag))
}

// Survey is the summary of the cases of many specs.
type Survey struct {
	// Cases are ordered by service, then by tag.
	Cases   []Case
	Tables  Tables
	Figures Figures
	Rules   RuleSummaries
	// ByCase and ByService are the counts for OmitCase and for OmitService. The Counts of Tables equal one of them,
	// depending on the chosen Omission.
	ByCase, ByService Counts
}

// Summarize returns the survey of cases, which may be in any order.
func Summarize(cases []Case, o Omission) Survey {
	s := Survey{Cases: slices.SortedFunc(slices.Values(cases), compare)}
	byCase, byService := examinedCases(s.Cases)
	s.ByCase, s.ByService = newCounts(s.Cases, byCase), newCounts(s.Cases, byService)
	examined, counts := byCase, s.ByCase
	if o == OmitService {
		examined, counts = byService, s.ByService
	}
	s.Tables, s.Figures, s.Rules = newTables(examined, counts), newFigures(examined), newRules(examined)
	return s
}

// examinedCases returns the cases that remain under OmitCase and under OmitService.
func examinedCases(cases []Case) (byCase, byService []Case) {
	gaveUp := map[string]bool{}
	for _, c := range cases {
		gaveUp[c.Service] = gaveUp[c.Service] || c.GaveUp()
	}
	for _, c := range cases {
		if !c.GaveUp() {
			byCase = append(byCase, c)
		}
		if !gaveUp[c.Service] {
			byService = append(byService, c)
		}
	}
	return byCase, byService
}
