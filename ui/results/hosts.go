package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/words"
)

// maxHosts is the maximum number of hosts that HostLines lists.
const maxHosts = 8

// HostLines returns a line for each host, with the outcomes of its calls. It leaves out DNS hosts if all lookups were
// answered, and resources of the environment that always worked. If there are more than maxHosts hosts, a last line
// has the number of the others.
func HostLines(all []model.HostSummary) (lines []string) {
	left := 0
	for _, h := range all {
		if h.Protocol == model.DNS && h.Outcomes["answer"] == h.Count {
			continue // the host itself has a line
		}
		if h.Protocol == model.Environment && h.Outcomes[model.OutcomeWorks] == h.Count {
			continue
		}
		if len(lines) == maxHosts {
			left++
			continue
		}
		way := string(h.Protocol)
		if h.TLS {
			way += " with TLS"
		}
		if h.Inward {
			way += ", its own port"
		}
		lines = append(lines, fmt.Sprintf("%s (%s): %s", h.Host, way, OutcomeText(h.Outcomes)))
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", left))
	}
	return lines
}

// outcomeTexts has clearer texts for outcomes. The outcome "refused" means that a connection was refused because
// there is no stub for it. It is easily confused with the outcome of a stub that has the fault "refuse".
var outcomeTexts = map[string]string{"refused": "refused (no stub)"}

// OutcomeText lists the six most frequent outcomes of calls to a host, followed by the number of the other outcomes.
func OutcomeText(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	const most = 6
	var all []string
	for _, w := range names[:min(most, len(names))] {
		all = append(all, fmt.Sprintf("%d × %s", counts[w], cmp.Or(outcomeTexts[w], w)))
	}
	if more := len(names) - most; more > 0 {
		all = append(all, words.Plural(more, "other outcome"))
	}
	return strings.Join(all, ", ")
}

// HostReport is a host in the JSON of sonde search.
type HostReport struct {
	Host     string         `json:"host"`
	Protocol model.Protocol `json:"protocol"`
	TLS      bool           `json:"tls,omitempty"`
	Inward   bool           `json:"inward,omitempty"`
	Count    int            `json:"count"`
	Outcomes map[string]int `json:"outcomes"`
	// Operations lists the operations that called the host.
	Operations []model.OpID `json:"operations,omitempty"`
}

// HostReports returns the JSON of hosts.
func HostReports(all []model.HostSummary) (out []HostReport) {
	for _, h := range all {
		out = append(
			out,
			HostReport{
				Host:       h.Host,
				Protocol:   h.Protocol,
				TLS:        h.TLS,
				Inward:     h.Inward,
				Count:      h.Count,
				Outcomes:   h.Outcomes,
				Operations: h.Operations,
			},
		)
	}
	return out
}
