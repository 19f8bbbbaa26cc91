package cluster

import "sonde/model/resource"

// A mode repeats at least minMirrored collections, with at least mirrorShare of the resources at and below them.
const (
	minMirrored = 2
	mirrorShare = 0.8
)

// modes are the segments that say how other resources are read rather than what they are, as "watch" does in
// /api/v1/watch/pods/{name}. The map has what isMode returned for each resource.
type modes map[*resource.Resource]bool

// outside returns the resource that an operation reads in a mode: /api/v1/pods/{name}. A resource that is below no mode, or
// that is not beside it, is returned as it is.
func (m modes) outside(r *resource.Resource) *resource.Resource {
	if r == nil || r.Parent == nil {
		return r
	}
	parent := m.outside(r.Parent)
	switch {
	case m.has(r):
		return parent
	case parent == r.Parent:
		return r
	}
	if same := counterpart(r, parent); same != nil {
		return same
	}
	return r
}

func (m modes) has(r *resource.Resource) bool {
	is, known := m[r]
	if !known {
		is = isMode(r)
		m[r] = is
	}
	return is
}

// isMode reports whether a segment is a mode: it has no operation of its own, all operations below it read, and nearly all
// resources there, with elements of several collections among them, are also beside it, as /api/v1/pods/{name} is.
func isMode(r *resource.Resource) bool {
	if r.Parent == nil || r.Param || len(r.Operations) > 0 || len(r.Children) < minMirrored {
		return false
	}
	beside, collections := make([]*resource.Resource, len(r.Children)), 0
	for i, c := range r.Children {
		if !c.Param {
			beside[i] = counterpart(c, r.Parent)
		}
		if beside[i] != nil {
			collections++
		}
	}
	if collections < minMirrored {
		return false
	}
	m := mirror{reads: true}
	for i, c := range r.Children {
		m.compare(c, beside[i])
	}
	return m.reads && m.elements > 0 && float64(m.mirrored) >= mirrorShare*float64(m.resources)
}

// mirror counts the resources with operations below a segment, those of them that are also beside it, and the elements
// among the latter. reads reports whether all operations read.
type mirror struct {
	resources, mirrored, elements int
	reads                         bool
}

// compare counts a resource and what is below it. beside is the same resource beside the segment, nil if there is none.
func (m *mirror) compare(r, beside *resource.Resource) {
	if len(r.Operations) > 0 {
		m.resources++
		if beside != nil && len(beside.Operations) > 0 {
			m.mirrored++
			if r.Param {
				m.elements++
			}
		}
	}
	for _, op := range r.Operations {
		m.reads = m.reads && op.Method == "GET"
	}
	for _, c := range r.Children {
		m.compare(c, counterpart(c, beside))
	}
}

// counterpart returns the child of a parent with the segment of another resource, or with a parameter if that has one. It
// returns nil if there is none.
func counterpart(r, parent *resource.Resource) *resource.Resource {
	if parent == nil {
		return nil
	}
	for _, c := range parent.Children {
		if c.Param && r.Param || c.Segment == r.Segment {
			return c
		}
	}
	return nil
}
