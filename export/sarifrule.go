package export

import (
	"cmp"
	"fmt"
	"unicode"
	"unicode/utf8"

	"sonde/model"
)

// Rule is an oracle as a rule of SARIF.
type Rule struct {
	Name     string
	Severity model.Severity
	About    string // what violates the rule, in a few words
	// Security reports whether the oracle judges security tests.
	Security bool
}

type (
	sarifRule struct {
		ID         string        `json:"id"`
		Name       string        `json:"name,omitempty"`
		Short      sarifText     `json:"shortDescription"`
		Full       sarifText     `json:"fullDescription"`
		Help       sarifText     `json:"help"`
		Default    sarifDefault  `json:"defaultConfiguration"`
		Properties *sarifTagging `json:"properties,omitempty"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifTagging struct {
		Tags []string `json:"tags"`
	}
)

// severityMeanings say what a violation of an oracle means.
var severityMeanings = map[model.Severity]string{
	model.SeverityError:   "The service does what it must not do.",
	model.SeverityWarning: "The service does not keep to its specification, or reveals too much.",
	model.SeverityNote:    "The specification is incomplete, or the behaviour is only unusual.",
}

// ruleSet has the rules of a SARIF file, and their positions by ID.
type ruleSet struct {
	all []sarifRule
	at  map[string]int
}

func newRuleSet(rules []Rule) *ruleSet {
	s := &ruleSet{at: map[string]int{}}
	for _, r := range rules {
		s.add(r)
	}
	return s
}

// add adds a rule and returns its position.
func (s *ruleSet) add(r Rule) int {
	rule := sarifRuleOf(r)
	s.at[rule.ID] = len(s.all)
	s.all = append(s.all, rule)
	return s.at[rule.ID]
}

// index returns the position of a fault's rule. It adds a rule for an unknown oracle, as in runs of other versions.
func (s *ruleSet) index(f model.Fault) int {
	if at, known := s.at[ruleID(f.Oracle)]; known {
		return at
	}
	return s.add(Rule{Name: f.Oracle, Severity: f.Severity})
}

func ruleID(oracle string) string { return cmp.Or(remark(oracle, 100), "unknown") }

func sarifRuleOf(r Rule) sarifRule {
	id := ruleID(r.Name)
	short := sentence(cmp.Or(r.About, "a fault of the oracle "+id))
	rule := sarifRule{
		ID:      id,
		Name:    pascal(words(id)),
		Short:   sarifMessage(short),
		Full:    sarifMessage(short + " " + severityMeanings[r.Severity]),
		Help:    sarifMessage(fmt.Sprintf("docs/oracles.md#%s of Sonde says when the oracle reports a fault, and when it does not.", id)),
		Default: sarifDefault{sarifLevel(r.Severity)},
	}
	if r.Security {
		rule.Properties = &sarifTagging{[]string{"security"}}
	}
	return rule
}

// sentence returns a text with a capital letter and a full stop.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
