package survey

// RuleSummaries summarizes three rules over the cases that the tables count. SC requires condition I. DC requires
// both conditions. Needed is DC with condition II restricted to required values.
type RuleSummaries struct {
	Operations int         `json:"operations"` // in all cases
	SC         RuleSummary `json:"sc"`
	DC         RuleSummary `json:"dc"`
	Needed     RuleSummary `json:"dc_needed"`
}

// RuleSummary is the result of a rule, added up over all cases.
type RuleSummary struct {
	Seqs    int `json:"seqs"`
	Covered int `json:"covered"` // number of operations that appear in a seq
	// Fewer is the number of cases in which the rule lists fewer seqs than the previous rule. Less is the number of
	// cases in which the rule covers fewer operations than the previous rule. Both are 0 for SC, the first rule.
	Fewer int `json:"cases_with_fewer_seqs"`
	Less  int `json:"cases_that_cover_less"`
}

func newRules(examined []Case) RuleSummaries {
	var r RuleSummaries
	for _, c := range examined {
		r.Operations += c.Operations
		r.SC.add(c.SC, c.SC)
		r.DC.add(c.DC, c.SC)
		r.Needed.add(c.Needed, c.DC)
	}
	return r
}

func (s *RuleSummary) add(l, before Listing) {
	s.Seqs += l.Seqs
	s.Covered += l.Covered
	if l.Seqs < before.Seqs {
		s.Fewer++
	}
	if l.Covered < before.Covered {
		s.Less++
	}
}
