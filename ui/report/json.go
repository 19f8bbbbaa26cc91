package report

import (
	"cmp"
	"encoding/json"
	"io"

	"sonde/analysis/survey"
)

// jsonReport is the JSON of a report on a survey, as sonde survey --format json writes it.
type jsonReport struct {
	Values   string               `json:"values"`
	Match    string               `json:"match"`
	Repeats  bool                 `json:"repeats"`
	FedOnly  bool                 `json:"fed_only"`
	Omission survey.Omission      `json:"gave_up"`
	Specs    int                  `json:"specs"`
	Passed   int                  `json:"files_passed_over"`
	Tables   survey.Tables        `json:"tables"`
	Counts   jsonCounts           `json:"counts"`
	Tests    jsonTests            `json:"tests"`
	Figures  jsonFigures          `json:"figures"`
	Rules    survey.RuleSummaries `json:"rules"`
	Paper    survey.Tables        `json:"paper"`
	Cases    []jsonCase           `json:"cases"`
	Problems []Problem            `json:"problems"`
}

// jsonCounts has the numbers of the tables for both values of survey.Omission. In ByCase, each case whose listing
// gave up is left out. In ByService, all cases of its service are left out.
type jsonCounts struct {
	ByCase    survey.Counts `json:"by_case"`
	ByService survey.Counts `json:"by_service"`
}

// jsonTests are the chi-square tests. A test that is not defined is null.
type jsonTests struct {
	Table2 *jsonTest `json:"table2"`
	Table3 *jsonTest `json:"table3"`
}

type jsonTest struct {
	ChiSquare float64 `json:"chi_square"`
	P         float64 `json:"p"`
}

// jsonFigures has the data of the figures, apart from the points of the scatter plot, which follow from the cases.
type jsonFigures struct {
	Groups []survey.GroupBin `json:"groups"`
	SC     *survey.BoxPlot   `json:"sc_groups_per_seq"` // null if there are no seqs
	DC     *survey.BoxPlot   `json:"dc_groups_per_seq"`
}

type jsonCase struct {
	Service    string      `json:"service"`
	Tag        string      `json:"tag"`
	Operations int         `json:"operations"`
	Groups     int         `json:"groups"`
	DC         jsonListing `json:"dc"`
	SC         jsonListing `json:"sc"`
	Needed     jsonListing `json:"dc_needed"`
}

type jsonListing struct {
	Seqs         int      `json:"seqs"`
	GaveUp       bool     `json:"gave_up"`
	GroupsPerSeq *float64 `json:"groups_per_seq"` // null if there are no seqs
	Covered      int      `json:"covered"`
}

func writeJSON(w io.Writer, r Report) error {
	s := r.Survey
	out := jsonReport{
		Values:   string(r.Mode.Values),
		Match:    string(r.Mode.Match),
		Repeats:  r.Repeats,
		FedOnly:  r.FedOnly,
		Omission: cmp.Or(r.Omission, survey.OmitCase),
		Specs:    r.Specs,
		Passed:   r.SkippedFiles,
		Tables:   s.Tables,
		Counts:   jsonCounts{ByCase: s.ByCase, ByService: s.ByService},
		Tests:    jsonTests{newJSONTest(s.Tables.Reason), newJSONTest(s.Tables.Sign)},
		Figures: jsonFigures{
			Groups: append([]survey.GroupBin{}, s.Figures.Groups...),
			SC:     newJSONBox(s.Figures.SC),
			DC:     newJSONBox(s.Figures.DC),
		},
		Rules:    s.Rules,
		Paper:    survey.PaperTables(),
		Cases:    []jsonCase{},
		Problems: append([]Problem{}, r.Problems...),
	}
	for _, c := range s.Cases {
		out.Cases = append(out.Cases, jsonCase{
			Service:    c.Service,
			Tag:        c.Tag,
			Operations: c.Operations,
			Groups:     c.Groups,
			DC:         newJSONListing(c.DC),
			SC:         newJSONListing(c.SC),
			Needed:     newJSONListing(c.Needed),
		})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func newJSONTest(s survey.ContingencyTable) *jsonTest {
	if x2, p, ok := s.ChiSquareTest(); ok {
		return &jsonTest{x2, p}
	}
	return nil
}

func newJSONBox(b survey.BoxPlot) *survey.BoxPlot {
	if b.Count == 0 {
		return nil
	}
	return &b
}

func newJSONListing(l survey.Listing) jsonListing {
	out := jsonListing{Seqs: l.Seqs, GaveUp: l.GaveUp, Covered: l.Covered}
	if mean, ok := l.GroupsPerSeq(); ok {
		out.GroupsPerSeq = &mean
	}
	return out
}
