package route

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
)

// Router knows which operation a request means. It is read-only and may be
// shared.
//
// Where several path templates fit, fixed text beats parameters, segment by
// segment from the left, and more fixed text beats less; what then is still
// equal goes to the operation that the spec has first. An operation counts only
// if it has the request's method, and what its template says of the query.
type Router struct {
	bases [][]string // segments of base paths, the longest first; the last is empty
	root  *node
}

// MatchedOperation is the operation that a request means.
type MatchedOperation struct {
	Op *model.Operation
	// Args are the values of its path parameters, decoded, in the order of the
	// template.
	Args []model.Arg
}

// New returns the router of a spec's operations, which are found behind the
// base path of each of its servers.
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

// FindOperation returns the operation that a method and a URL mean, of which only path
// and query count. The path may begin with a base path of the spec; the longest
// one behind which there is an operation is taken for it, none only if there is
// no operation behind any.
//
// It takes time linear in the length of the path, and for templates that
// compete for it in their number.
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

// request is what is looked for.
type request struct {
	method   string
	segments []string
	query    *query
	slash    bool // its path ends in one
}

// parts returns path and query of a URL, also of one that is not quite right.
func parts(target string) (string, query) {
	target, _, _ = strings.Cut(target, "#")
	path, raw, _ := strings.Cut(target, "?")
	if scheme, rest, ok := strings.Cut(path, "://"); ok && !strings.Contains(scheme, "/") {
		_, path, _ = strings.Cut(rest, "/")
	}
	return path, query{raw: raw}
}

// query is a URL's, which is read when a template first asks for it: most ask for none.
type query struct {
	raw  string
	read url.Values
}

func (q *query) values() url.Values {
	if q.read == nil {
		q.read, _ = url.ParseQuery(q.raw) // what can be read of it is enough
	}
	return q.read
}

// trimmed returns the decoded segments of a path without slashes at its ends.
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

// decoded takes the escapes out of a segment; one that is wrong stays whole.
func decoded(segment string) string {
	if plain, err := url.PathUnescape(segment); err == nil {
		return plain
	}
	return segment
}
