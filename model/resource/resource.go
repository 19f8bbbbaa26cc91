// Package resource builds the tree of resources from the paths of an API, and finds the operations that
// create them.
package resource

import (
	"iter"
	"regexp"
	"strings"

	"sonde/model"
)

// Resource is a node in the tree of the paths of an API.
type Resource struct {
	// Path is the path from the root, without a trailing slash; "/" for the root. If the document writes the path in
	// several ways, Path is the first of them.
	Path string
	// Segment is the path's last segment, "" for the root.
	Segment string
	// Param reports whether the segment starts with a parameter, so that the path matches many elements:
	// "{id}" and "{a}-{b}", but not "list.{format}".
	Param bool
	// Method reports whether the segment is a custom method of the parent, such as ":cancel" or ".archive".
	Method bool
	// Operations are the operations of this path, in the order of the document. Their paths may differ in
	// the names of parameters or in a trailing slash.
	Operations []*model.Operation
	Children   []*Resource
	Parent     *Resource // nil for the root

	makers []Creator
}

// Subtree iterates over a resource and everything below it, parents first.
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

// NewTree returns the root of the tree for operations. Paths that differ only in the names of
// parameters, in a trailing slash or in a suffix such as ".json" are one resource.
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

// Element returns the name of the parameter below a collection, "" if there is none. For /products in an API with
// /products/{productId}, it returns "productId".
func (r *Resource) Element() string {
	for _, c := range r.Children {
		if c.Param {
			return ParamNames(c.Segment)[0]
		}
	}
	return ""
}

// tree is a resource tree that is being built, with an index of its nodes.
type tree struct {
	root     *Resource
	children map[child]*Resource
}

// child identifies a child of a resource by the shape of its segment.
type child struct {
	parent *Resource
	shape  string
	method bool // the segment is a custom method
}

func newTree() *tree {
	return &tree{&Resource{Path: "/"}, map[child]*Resource{}}
}

// at returns the resource of a path. It creates the resource if necessary.
func (t *tree) at(path string) *Resource {
	r := t.root
	steps, endsInMethod := splitPath(path)
	for i, s := range steps {
		c := child{r, shape(s), endsInMethod && i == len(steps)-1}
		next := t.children[c]
		if next == nil {
			next = r.grow(s, c.method)
			t.children[c] = next
		}
		r = next
	}
	return r
}

func (r *Resource) grow(segment string, method bool) *Resource {
	path := strings.TrimSuffix(r.Path, "/") + "/" + segment
	if method {
		path = r.Path + segment
	}
	c := &Resource{
		Path:    path,
		Segment: segment,
		Method:  method,
		Param:   strings.HasPrefix(shape(segment), "{}"),
		Parent:  r,
	}
	r.Children = append(r.Children, c)
	return c
}

// maxSegments limits the depth of the tree. In a longer path, the last segment is the rest of the path.
const maxSegments = 100

// Segments returns the segments of a path without empty ones.
func Segments(path string) []string {
	list := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	if len(list) <= maxSegments {
		return list
	}
	return append(list[:maxSegments-1], strings.Join(list[maxSegments-1:], "/"))
}

// customMethod matches a segment that ends in a custom method, such as "{name}:cancel", "files:search" or
// "channels.archive".
var customMethod = regexp.MustCompile(`^([^:]+)(:[A-Za-z]+)$|^([A-Za-z][A-Za-z.]*)(\.[A-Za-z]+)$`)

// domainOrFile matches the end of a segment that is the name of a file or a domain.
var domainOrFile = regexp.MustCompile(
	`(?i)\.(json|jsonp|xml|ya?ml|csv|txt|html?|pdf|png|jpe?g|gif|svg|zip|rss|atom|ics|js|css|php|aspx?|ashx|jsp|do|cgi|svc|` +
		`io|com|org|net|dev|gov|edu)$`,
)

// Steps returns the segments of a path template, with a custom method at the end as a separate step:
// "/files/{id}:copy" has the steps "files", "{id}" and ":copy", and "/channels.archive" the steps
// "channels" and ".archive".
func Steps(path string) []string {
	steps, _ := splitPath(path)
	return steps
}

// splitPath returns the result of Steps. endsInMethod reports whether the last step is a custom method.
func splitPath(path string) (steps []string, endsInMethod bool) {
	list := Segments(path)
	if thing, method := cutMethod(list); method != "" {
		return append(list[:len(list)-1:len(list)-1], thing, method), true
	}
	return list, false
}

// cutMethod splits the last segment into the resource and a custom method. Both are "" if the segment has no custom
// method.
func cutMethod(segments []string) (thing, method string) {
	if len(segments) == 0 {
		return "", ""
	}
	last := segments[len(segments)-1]
	if !strings.ContainsAny(last, ":.") {
		return "", "" // most segments; a regular expression takes long
	}
	m := customMethod.FindStringSubmatch(last)
	switch {
	case m == nil:
		return "", ""
	case m[1] != "":
		return m[1], m[2]
	case domainOrFile.MatchString(last):
		return "", ""
	}
	return m[3], m[4]
}

// cutParameter cuts a segment around its first parameter, which is a name in braces. found is false if the segment has
// no parameter.
func cutParameter(segment string) (before, name, after string, found bool) {
	begin := -1
	for i, c := range []byte(segment) {
		switch {
		case c == '{':
			begin = i
		case c == '}' && begin >= 0:
			return segment[:begin], segment[begin+1 : i], segment[i+1:], true
		}
	}
	return segment, "", "", false
}

// shape returns a segment without its suffix and without the names of its parameters.
func shape(segment string) string {
	rest := Element(segment)
	if !strings.Contains(rest, "{") {
		return rest
	}
	var b strings.Builder
	for {
		before, _, after, found := cutParameter(rest)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("{}")
		rest = after
	}
}

// ParamNames returns the names of the parameters in a segment, except in its suffix.
func ParamNames(segment string) []string {
	if !strings.Contains(segment, "{") {
		return nil
	}
	var list []string
	for rest := Element(segment); ; {
		_, name, after, found := cutParameter(rest)
		if !found {
			return list
		}
		list, rest = append(list, name), after
	}
}

// suffix matches the end of a path segment that selects the format of the answer.
var suffix = regexp.MustCompile(`(?i)\.(json|xml|\{_?(format|ext|extension)\})$`)

// Element returns a path segment without the suffix for the format of the answer: "products"
// for "products.{format}".
func Element(segment string) string {
	if !strings.Contains(segment, ".") {
		return segment
	}
	if bare := suffix.ReplaceAllString(segment, ""); bare != "" {
		return bare
	}
	return segment
}
