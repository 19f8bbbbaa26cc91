package cli

import (
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/codec"
	"sonde/model/match"
	"sonde/model/route"
	"sonde/ui/pane"
)

// evidence is what tests of any source call, as operations of a spec.
type evidence struct {
	files     int
	finds     []find
	strangers []stranger
	elsewhere map[string]int // requests to other hosts
	outside   int            // calls of operations that are not in the case
	unread    int            // calls in Go code that are not written out
	taken     []string       // hosts that were taken for the service's

	ids    map[string]model.OpID // as printed → as in the spec
	inCase map[model.OpID]bool
	router *route.Router
	hosts  map[string]bool // that are known to be the service's
	told   bool            // by the person: there are no others
}

// find is a seq that was read.
type find struct {
	file, name string
	seq        model.Seq
}

// stranger is a request that matches no operation.
type stranger struct {
	File   string `json:"file"`
	Seq    string `json:"seq"`
	Method string `json:"method"`
	URL    string `json:"url"`
}

func newEvidence(spec *model.Spec, t *match.Table, hosts []string) *evidence {
	e := &evidence{
		elsewhere: map[string]int{}, ids: map[string]model.OpID{}, inCase: map[model.OpID]bool{},
		router: route.New(spec), hosts: map[string]bool{}, told: len(hosts) > 0,
	}
	for _, op := range slices.Backward(spec.Operations) {
		e.ids[pane.Clean(string(op.ID))] = op.ID
	}
	for _, op := range spec.Operations {
		e.ids[string(op.ID)] = op.ID
	}
	for _, op := range t.Ops {
		e.inCase[op.ID] = true
	}
	for _, server := range spec.Servers {
		if host := hostIn(server); host != "" {
			e.hosts[host] = true
		}
	}
	for _, host := range hosts {
		e.hosts[strings.ToLower(host)] = true
	}
	return e
}

// read adds what a file holds.
func (e *evidence) read(file string, in io.Reader) error {
	var trails codec.Trails
	var err error
	if file == "-" {
		file = "standard input"
		trails, err = codec.ReadTrails(file, in)
	} else {
		trails, err = codec.OpenTrails(file)
	}
	if err != nil {
		return err
	}
	e.files++
	e.unread += trails.Unread
	mine := e.service(trails)
	for _, t := range trails.All {
		f := find{file: file, name: t.Name}
		for _, step := range t.Steps {
			f.seq = append(f.seq, e.operation(f, step, mine)...)
		}
		e.finds = append(e.finds, f)
	}
	return nil
}

// operation returns what a step calls; nothing where it counts elsewhere.
func (e *evidence) operation(f find, s codec.Step, mine map[string]bool) model.Seq {
	id := s.Op
	if known, ok := e.ids[string(id)]; ok {
		id = known
	}
	if id == "" {
		if host := hostIn(s.URL); host != "" && !ours(mine, host) {
			e.elsewhere[host]++
			return nil
		}
		m, ok := e.router.Find(s.Method, s.URL)
		if !ok {
			e.strangers = append(e.strangers, stranger{File: f.file, Seq: f.name, Method: s.Method, URL: s.URL})
			return nil
		}
		id = m.Op.ID
	}
	if _, known := e.ids[string(id)]; known && !e.inCase[id] {
		e.outside++
		return nil
	}
	return model.Seq{id}
}

// service returns the hosts in a file that are the service's: those that are
// known to be, and where no request went to any of them and the person told
// none, the one with the most requests that mean an operation.
func (e *evidence) service(t codec.Trails) map[string]bool {
	if e.told {
		return e.hosts
	}
	hits := map[string]int{}
	for _, trail := range t.All {
		for _, s := range trail.Steps {
			host := hostIn(s.URL)
			if ours(e.hosts, host) {
				return e.hosts
			}
			if _, ok := e.router.Find(s.Method, s.URL); ok && host != "" {
				hits[host]++
			}
		}
	}
	best := ""
	for _, host := range slices.Sorted(maps.Keys(hits)) {
		if hits[host] > hits[best] {
			best = host
		}
	}
	if best == "" {
		return e.hosts
	}
	if !slices.Contains(e.taken, best) {
		e.taken = append(e.taken, best)
	}
	return map[string]bool{best: true}
}

// ours reports whether a host is one of several, which may leave its port open.
func ours(hosts map[string]bool, host string) bool {
	bare := host
	if u, err := url.Parse("//" + host); err == nil {
		bare = u.Hostname()
	}
	return hosts[host] || hosts[bare]
}

// hostIn returns the host of a URL with its port, in lower case; for a URL that
// has none, such as data:, the scheme; "" for a path.
func hostIn(target string) string {
	scheme, rest, ok := strings.Cut(target, ":")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return ""
	}
	rest, ok = strings.CutPrefix(rest, "//")
	if !ok {
		return strings.ToLower(scheme) + ":"
	}
	host := rest[:strings.IndexAny(rest+"/", "/?#")]
	return strings.ToLower(host[strings.LastIndexByte(host, '@')+1:])
}
