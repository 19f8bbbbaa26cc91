package resource

// Conditions for a mode, see [Modes]. At least minMirrored children of a mode must have a counterpart outside the mode.
// So must at least mirrorShare, a fraction, of all resources with operations below the mode.
const (
	minMirrored = 2
	mirrorShare = 0.8
)

// Modes caches for resources whether their segment is a mode. A mode is a path segment that only adds another way to
// read resources, such as "watch" in /api/v1/watch/pods/{name}. The same resources can also be read by a path without
// the segment. The zero value cannot be used: make the map first.
type Modes map[*Resource]bool

// Outside returns the counterpart of r outside its mode: /api/v1/pods/{name} for /api/v1/watch/pods/{name}. For the
// mode itself it returns the parent. It returns r itself if r is in no mode or has no counterpart.
func (m Modes) Outside(r *Resource) *Resource {
	if r == nil || r.Parent == nil {
		return r
	}
	parent := m.Outside(r.Parent)
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

func (m Modes) has(r *Resource) bool {
	is, known := m[r]
	if !known {
		is = isMode(r)
		m[r] = is
	}
	return is
}

// isMode reports whether the segment of r is a mode. These conditions must hold:
//   - r is not a parameter, and has no operation of its own.
//   - All operations below r only read.
//   - At least minMirrored children of r have a counterpart.
//   - At least the fraction mirrorShare of the resources with operations below r have a counterpart, including an element.
func isMode(r *Resource) bool {
	if r.Parent == nil || r.Param || len(r.Operations) > 0 || len(r.Children) < minMirrored {
		return false
	}
	beside, collections := make([]*Resource, len(r.Children)), 0
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

// mirror has counts of the resources below a mode:
//   - resources: those with operations
//   - mirrored: those with operations and with a counterpart outside the mode
//   - elements: the mirrored resources that are elements
//
// reads reports whether all operations below the mode only read.
type mirror struct {
	resources, mirrored, elements int
	reads                         bool
}

// compare counts r and the resources below it. beside is the counterpart of r, nil if there is none.
func (m *mirror) compare(r, beside *Resource) {
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

// counterpart returns the child of parent with the same segment as r, nil if there is none. Segments that are
// parameters are the same even if their names differ.
func counterpart(r, parent *Resource) *Resource {
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
