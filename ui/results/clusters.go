package results

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"sonde/analysis"
	"sonde/analysis/cluster"
	"sonde/model"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// ClusterReport is the JSON of sonde clusters.
type ClusterReport struct {
	Operations int             `json:"operations"`
	Clusters   []clusterReport `json:"clusters"`
	// TagAgreement is the adjusted mutual information of the smallest clusters and the tags. It is absent
	// if the tags do not divide the operations.
	TagAgreement *float64 `json:"tag_agreement,omitempty"`
	// Names counts the clusters at all levels whose names agree with the tags. It is absent if TagAgreement
	// is absent.
	Names *nameReport `json:"names,omitempty"`
}

// nameReport counts the clusters that have tags, and those whose names agree with the tags.
type nameReport struct {
	Agree int `json:"agree"`
	Total int `json:"total"`
}

type clusterReport struct {
	Name       string          `json:"name"`
	Operations []model.OpID    `json:"operations"`
	Parts      []clusterReport `json:"parts,omitempty"`
	// Takes are the values that the operations take from other clusters. It is empty for parts.
	Takes []crossingReport `json:"takes,omitempty"`
}

// crossingReport lists the values that a cluster takes from another one.
type crossingReport struct {
	From   string   `json:"from"`
	Values []string `json:"values"`
}

// NewClusterReport returns the clusters of an analysis, the largest first.
func NewClusterReport(a *analysis.Analysis) ClusterReport {
	all := a.Clusters()
	r := ClusterReport{Operations: len(a.Operations), Clusters: clusterReports(all)}
	for _, b := range a.ClusterBorders(all) {
		c := &r.Clusters[b.To]
		c.Takes = append(c.Takes, crossingReport{From: all[b.From].Name, Values: b.Values})
	}
	sortClusters(r.Clusters)
	if ami, ok := cluster.TagAgreement(all, a.Operations); ok {
		agree, total := cluster.NameAgreement(all, a.Operations)
		r.TagAgreement, r.Names = &ami, &nameReport{agree, total}
	}
	return r
}

func clusterReports(all []*cluster.Cluster) []clusterReport {
	list := []clusterReport{}
	for _, c := range all {
		r := clusterReport{Name: c.Name, Operations: c.Operations}
		if c.Parts != nil {
			r.Parts = clusterReports(c.Parts)
		}
		list = append(list, r)
	}
	return list
}

// sortClusters puts the largest clusters first, at each level.
func sortClusters(all []clusterReport) {
	slices.SortStableFunc(all, func(a, b clusterReport) int { return len(b.Operations) - len(a.Operations) })
	for _, c := range all {
		sortClusters(c.Parts)
	}
}

// The text lists the values that a cluster takes from at most textTakes other clusters, and at most textValues values
// for each of them.
const textTakes, textValues = 4, 3

// PrintClusters writes clusters as text. The text calls them areas.
func PrintClusters(w io.Writer, r ClusterReport) error {
	fmt.Fprintf(w, "%s in %s\n\n", words.Plural(r.Operations, "operation"), words.Plural(len(r.Clusters), "area"))
	t := console.NewTable(w)
	printClusters(t, r.Clusters, "")
	t.Flush()
	if r.TagAgreement != nil {
		fmt.Fprintf(w, "\nAgreement with the tags: %.2f. %d of %d names have a noun of the most frequent tag.\n",
			*r.TagAgreement, r.Names.Agree, r.Names.Total)
	}
	return nil
}

func printClusters(t console.Table, all []clusterReport, indent string) {
	for _, c := range all {
		t.Row(indent+draw.Clean(c.Name), len(c.Operations), takesText(c.Takes))
		printClusters(t, c.Parts, indent+"  ")
	}
}

// takesText lists the values that a cluster takes from others: "takes from carts (cart.id); stock
// (product.sku)".
func takesText(all []crossingReport) string {
	if len(all) == 0 {
		return ""
	}
	var list []string
	for _, b := range all[:min(len(all), textTakes)] {
		values := CleanTexts(b.Values[:min(len(b.Values), textValues)])
		if more := len(b.Values) - textValues; more > 0 {
			values = append(values, fmt.Sprintf("+%d", more))
		}
		list = append(list, fmt.Sprintf("%s (%s)", draw.Clean(b.From), strings.Join(values, ", ")))
	}
	if more := len(all) - textTakes; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return "takes from " + strings.Join(list, "; ")
}
