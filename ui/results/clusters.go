package results

import (
	"fmt"
	"io"
	"strings"

	"sonde/analysis"
	"sonde/analysis/cluster"
	"sonde/model"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// ClusterReport is the JSON of clusters.
type ClusterReport struct {
	Operations int             `json:"operations"`
	Clusters   []clusterReport `json:"clusters"`
	// TagAgreement is the adjusted mutual information of the smallest clusters and the tags, absent if the
	// tags do not divide the operations.
	TagAgreement *float64 `json:"tag_agreement,omitempty"`
}

type clusterReport struct {
	Name       string          `json:"name"`
	Operations []model.OpID    `json:"operations"`
	Parts      []clusterReport `json:"parts,omitempty"`
	// Takes are the values that the operations take from other clusters. Parts have none.
	Takes []crossingReport `json:"takes,omitempty"`
}

// crossingReport is the values that a cluster takes from another one.
type crossingReport struct {
	From   string   `json:"from"`
	Values []string `json:"values"`
}

// NewClusterReport returns the clusters of an analysis.
func NewClusterReport(a *analysis.Analysis) ClusterReport {
	all := a.Clusters()
	r := ClusterReport{Operations: len(a.Operations), Clusters: clusterReports(all)}
	for _, b := range a.ClusterBorders(all) {
		c := &r.Clusters[b.To]
		c.Takes = append(c.Takes, crossingReport{From: all[b.From].Name, Values: b.Values})
	}
	if ami, ok := cluster.TagAgreement(all, a.Operations); ok {
		r.TagAgreement = &ami
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

// textTakes and textValues limit the borders of a cluster, and the values of each, in the text.
const textTakes, textValues = 4, 3

// PrintClusters writes clusters as text.
func PrintClusters(w io.Writer, r ClusterReport) error {
	fmt.Fprintf(w, "%s in %s\n\n", words.Plural(r.Operations, "operation"), words.Plural(len(r.Clusters), "cluster"))
	t := console.NewTable(w)
	printClusters(t, r.Clusters, "")
	t.Flush()
	if r.TagAgreement != nil {
		fmt.Fprintf(w, "\nAgreement with the tags: %.2f\n", *r.TagAgreement)
	}
	return nil
}

func printClusters(t console.Table, all []clusterReport, indent string) {
	for _, c := range all {
		t.Row(indent+draw.Clean(c.Name), len(c.Operations), takesText(c.Takes))
		printClusters(t, c.Parts, indent+"  ")
	}
}

// takesText lists what a cluster takes from others: "takes from carts (cart.id)".
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
	return "takes from " + strings.Join(list, ", ")
}
