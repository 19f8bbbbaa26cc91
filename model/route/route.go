package route

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
)

// Router finds the operation of an API by method and URL. It is read-only and safe for concurrent use.
//
// An operation matches only if it has the request's method, and if the query satisfies the conditions of the path
// template. If several path templates match, Router compares them segment by segment from the left: fixed text takes
// precedence over parameters, and longer fixed text over shorter. Then segments with more parameters, templates with
// more conditions, and templates that end in a slash exactly if the path does take precedence, in this order. If there
// is no difference, Router chooses the first operation of the spec.
type Router struct {
	bases [][]string // segments of base paths, the longest first; the last is empty
	root  *node
}

// MatchedOperation is the operation for a request.
type MatchedOperation struct {
	Op *model.Operation
	// Args are the decoded values of the path parameters, in the order of the template.
	Args []model.Arg
}

// New returns a router for a spec's operations. Paths may start with the base path of any server of the
// spec.
func New(spec *model.Spec) *Router {
	r := &Router{root: newNode()}
	for _, s := range spec.Servers {
		if u, err := url.Parse(s); err == nil {
			r.bases = append(r.bases, trimmed(u.EscapedPath()))
		}
	}
	r.bases = append(r.bases, nil)
	slices.SortStableFunc(r.bases, func(a, b []string) int { return cmp.Compare(len(b), len(a)) })
	r.bases = slices.CompactFunc(r.bases, slices.Equal[[]string])
	for _, op := range spec.Operations {
		r.root.add(newTemplate(op))
	}
	r.root.sort()
	return r
}

// FindOperation returns the operation for a method and a URL. It uses only the path and the query of the URL. The path
// may start with a base path of the spec, which is removed. If several base paths are possible, FindOperation removes
// the longest one after which an operation matches. It returns false if no operation matches.
//
// The time is linear in the length of the path and in the number of templates that match it.
func (r *Router) FindOperation(method, target string) (MatchedOperation, bool) {
	path, query := parts(target)
	q := request{method: strings.ToUpper(method), query: &query, slash: strings.HasSuffix(path, "/")}
	segments := trimmed(path)
	for _, base := range r.bases {
		if len(base) > len(segments) || !slices.Equal(base, segments[:len(base)]) {
			continue
		}
		q.segments = segments[len(base):]
		if t := r.root.find(&q, 0); t != nil {
			return MatchedOperation{t.op, t.args(q.segments, q.query)}, true
		}
	}
	return MatchedOperation{}, false
}

// request is a request whose operation is looked up.
type request struct {
	method   string
	segments []string
	query    *query
	slash    bool // the path ends in a slash
}

// parts returns the path and the query of a URL. The URL need not be valid.
func parts(target string) (string, query) {
	target, _, _ = strings.Cut(target, "#")
	path, raw, _ := strings.Cut(target, "?")
	if scheme, rest, ok := strings.Cut(path, "://"); ok && !strings.Contains(scheme, "/") {
		_, path, _ = strings.Cut(rest, "/")
	}
	return path, query{raw: raw}
}

// query is the query of a URL. It is parsed when it is first used, because most templates have no
// conditions.
type query struct {
	raw  string
	read url.Values
}

func (q *query) values() url.Values {
	if q.read == nil {
		q.read, _ = url.ParseQuery(q.raw) // an invalid query is read as far as possible
	}
	return q.read
}

// trimmed returns the decoded segments of a path. It ignores one slash at the start and one at the end.
func trimmed(path string) []string {
	path = strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/")
	if path == "" {
		return nil
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = decoded(s)
	}
	return segments
}

// decoded unescapes a segment. A segment with an invalid escape is not changed.
func decoded(segment string) string {
	if plain, err := url.PathUnescape(segment); err == nil {
		return plain
	}
	return segment
}
