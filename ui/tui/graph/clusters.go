package graph

import (
	"slices"

	"sonde/analysis/cluster"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// maxUnclustered is the maximum number of operations of an API whose picture initially shows each
// operation. The picture of a larger API shows clusters, which the user can unfold.
const maxUnclustered = 60

// clustered reports whether a view shows the whole API as clusters.
func (v view) clustered(analyzed *screen.AnalyzedSpec) bool {
	return v.whole && !v.things && len(analyzed.Spec.Operations) > maxUnclustered
}

// clusters adds a node for each folded cluster, and for each part or operation of an unfolded cluster. It also adds
// the flows of the values that pass between the nodes.
func (p *picture) clusters(n *flowGraph) {
	var units []*cluster.Cluster
	var add func([]*cluster.Cluster)
	add = func(all []*cluster.Cluster) {
		for _, c := range all {
			switch {
			case !p.folded.value().opened[c.Name]:
				units = append(units, c)
				p.nodes = append(p.nodes, clusterNode(c, p.names))
			case c.Parts != nil:
				add(c.Parts)
			default:
				for _, op := range c.Operations {
					units = append(units, &cluster.Cluster{Operations: []model.OpID{op}})
					p.nodes = append(p.nodes, node{ops: []model.OpID{op}})
				}
			}
		}
	}
	add(n.Analysis.Clusters())
	for _, b := range n.Analysis.ClusterBorders(units) {
		p.flows = append(p.flows, flow{from: p.nodes[b.From].lead(), to: p.nodes[b.To].lead(), ids: b.Values})
	}
	p.untangle()
}

// clusterNode returns the node of a folded cluster.
func clusterNode(c *cluster.Cluster, names draw.SeqNames) node {
	if len(c.Operations) == 1 {
		return node{ops: c.Operations}
	}
	nd := node{
		ops:     c.Operations,
		name:    draw.Clean(c.Name) + ": " + words.Plural(len(c.Operations), "operation"),
		cluster: c.Name,
	}
	nd.fact = nd.membersText(names)
	return nd
}

// clusterAt returns the cluster for the fold key: the folded cluster of a node, or the innermost unfolded
// cluster that contains the node's operation. It returns "" if there is none.
func (f folding) clusterAt(nd node, all []*cluster.Cluster) string {
	if nd.cluster != "" {
		return nd.cluster
	}
	for _, c := range all {
		if f.opened[c.Name] && slices.Contains(c.Operations, nd.lead()) {
			if part := f.clusterAt(nd, c.Parts); part != "" {
				return part
			}
			return c.Name
		}
	}
	return ""
}

// opening returns the folding with additional unfolded clusters.
func (f folding) opening(all []*cluster.Cluster) *folding {
	for _, c := range all {
		if !f.opened[c.Name] {
			f.opened = f.opened.toggled(c.Name)
		}
	}
	return &f
}

// areasAround returns the cluster with a name, preceded by its enclosing clusters, the outermost first. It
// returns nil if there is no such cluster.
func areasAround(all []*cluster.Cluster, name string) []*cluster.Cluster {
	for _, c := range all {
		if draw.Clean(c.Name) == name {
			return []*cluster.Cluster{c}
		}
		if inside := areasAround(c.Parts, name); inside != nil {
			return slices.Insert(inside, 0, c)
		}
	}
	return nil
}
