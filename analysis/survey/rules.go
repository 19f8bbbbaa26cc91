package survey

// RuleSummaries summarizes each rule over the cases that the tables count: condition I
// alone (SC), both conditions (DC), and both with condition II restricted to required
// values (Needed).
type RuleSummaries struct {
	Operations int         `json:"operations"` // in all cases
	SC         RuleSummary `json:"sc"`
	DC         RuleSummary `json:"dc"`
	Needed     RuleSummary `json:"dc_needed"`
}

// RuleSummary is the total result of a rule in all cases.
type RuleSummary struct {
	Seqs    int `json:"seqs"`
	Covered int `json:"covered"` // number of operations that appear in a seq
	// Fewer is the number of cases with fewer seqs than by the previous rule. Less is the number of cases
	// with fewer covered operations than by the previous rule. Both are 0 for SC, which is the first rule.
	Fewer int `json:"cases_with_fewer_seqs"`
	Less  int `json:"cases_that_cover_less"`
}

func newRules(cases []Case) RuleSummaries {
	var r RuleSummaries
	for _, c := range cases {
		if !c.Examined() {
			continue
		}
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
