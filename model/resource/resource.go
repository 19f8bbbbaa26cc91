// Package resource is the tree of things that the paths of an API form, and who
// makes them.
package resource

import (
	"iter"
	"regexp"
	"strings"

	"sonde/model"
)

// Resource is a place in the tree that the paths of an API form.
type Resource struct {
	// Path is the path from the root as the document first writes it, without
	// a slash at the end; "/" for the root.
	Path string
	// Segment is the path's last segment, "" for the root.
	Segment string
	// Param tells that the segment begins with a parameter, so that the
	// resource is one of many: "{id}" and "{a}-{b}", but not "list.{format}".
	Param bool
	// Operations of this very path, in the order of the document. Their paths
	// may name the parameters differently, or end in a slash.
	Operations []*model.Operation
	Children   []*Resource
	Parent     *Resource // nil for the root

	makers []Creator
}

// Subtree goes through a resource and everything below it, parents first.
func (r *Resource) Subtree() iter.Seq[*Resource] {
	return func(yield func(*Resource) bool) { r.each(yield) }
}

func (r *Resource) each(yield func(*Resource) bool) bool {
	if !yield(r) {
		return false
	}
	for _, c := range r.Children {
		if !c.each(yield) {
			return false
		}
	}
	return true
}

// Operation returns the resource's first operation with that method, or nil.
func (r *Resource) Operation(method string) *model.Operation {
	for _, op := range r.Operations {
		if op.Method == method {
			return op
		}
	}
	return nil
}

// Depth returns the number of segments of the resource's path.
func (r *Resource) Depth() int {
	n := 0
	for r.Parent != nil {
		r, n = r.Parent, n+1
	}
	return n
}

// NewTree returns the root of the resources that the operations' paths form.
// Paths that differ only in the names of parameters, in a slash at the end or
// in a suffix such as ".json" are one resource.
func NewTree(ops []*model.Operation) *Resource {
	t := newTree()
	for _, op := range ops {
		r := t.at(op.Path)
		r.Operations = append(r.Operations, op)
	}
	for r := range t.root.Subtree() {
		r.makers = r.findMakers()
	}
	return t.root
}

// Element returns what the paths call the id of one of what a resource holds:
// "productId" for /products, "" where they call it nothing.
func (r *Resource) Element() string {
	for _, c := range r.Children {
		if c.Param {
			return ParamNames(c.Segment)[0]
		}
	}
	return ""
}

// tree is a resource tree that can still grow, and where paths are found fast.
type tree struct {
	root     *Resource
	children map[child]*Resource
}

// child is a segment's shape below a resource.
type child struct {
	parent *Resource
	shape  string
}

func newTree() *tree {
	return &tree{&Resource{Path: "/"}, map[child]*Resource{}}
}

// at returns the resource of a path, which it makes if it is new.
func (t *tree) at(path string) *Resource {
	r := t.root
	for _, s := range Segments(path) {
		c := child{r, shape(s)}
		if t.children[c] == nil {
			t.children[c] = r.grow(s)
		}
		r = t.children[c]
	}
	return r
}

func (r *Resource) grow(segment string) *Resource {
	c := &Resource{
		Path:    strings.TrimSuffix(r.Path, "/") + "/" + segment,
		Segment: segment,
		Param:   strings.HasPrefix(shape(segment), "{}"),
		Parent:  r,
	}
	r.Children = append(r.Children, c)
	return c
}

// mostSegments is how deep the tree of resources is at most. The last segment
// of a longer path is the rest of it.
const mostSegments = 100

// Segments splits a path and drops empty segments.
func Segments(path string) []string {
	list := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	if len(list) <= mostSegments {
		return list
	}
	return append(list[:mostSegments-1], strings.Join(list[mostSegments-1:], "/"))
}

// parameter finds the parameters of a path segment.
var parameter = regexp.MustCompile(`\{([^{}]*)\}`)

// shape is a segment without the names of its parameters.
func shape(segment string) string {
	return parameter.ReplaceAllString(Element(segment), "{}")
}

// ParamNames returns the parameters of a segment, but for that of a suffix.
func ParamNames(segment string) []string {
	if !strings.Contains(segment, "{") {
		return nil
	}
	var list []string
	for _, m := range parameter.FindAllStringSubmatch(Element(segment), -1) {
		list = append(list, m[1])
	}
	return list
}

// suffix is what a path segment may carry to say how the answer is written.
var suffix = regexp.MustCompile(`(?i)\.(json|xml|\{_?(format|ext|extension)\})$`)

// Element returns a path segment without a suffix for the format of the
// answer: "products.{format}" gives "products".
func Element(segment string) string {
	if !strings.Contains(segment, ".") {
		return segment
	}
	if bare := suffix.ReplaceAllString(segment, ""); bare != "" {
		return bare
	}
	return segment
}
