// Package adequacy reads tests of any source (runs, HAR files, Go code, lists of seqs) and measures how
// much of an API they reach.
package adequacy

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
	"sonde/ui/draw"
)

// Evidence has the calls of tests, as operations of a spec.
type Evidence struct {
	Files        int
	Seqs         []NamedSeq
	Unmatched    []Request
	OtherHosts   map[string]int // host that is not the service's → number of requests
	OtherTags    int            // calls of operations that are not in the table
	Unread       int            // calls in Go code whose method or path is not a literal
	AssumedHosts []string       // hosts that are assumed to be the service's

	ids        map[string]model.OpID // ID of an operation, or its printed form → the ID in the spec
	inCase     map[model.OpID]bool
	router     *route.Router
	hosts      map[string]bool // known to be the service's
	hostsGiven bool            // the user named all hosts of the service
}

// NamedSeq is a seq that was read from a file.
type NamedSeq struct {
	File, Name string
	Seq        model.Seq
}

// Request is a request that matches no operation.
type Request struct {
	File   string `json:"file"`
	Seq    string `json:"seq"`
	Method string `json:"method"`
	URL    string `json:"url"`
}

// NewEvidence returns evidence without tests. The table may have only some of the spec's operations. hosts
// are the hosts of the service. If it is empty, the spec and the requests determine them.
func NewEvidence(spec *model.Spec, t *match.ValuesTable, hosts []string) *Evidence {
	e := &Evidence{
		OtherHosts: map[string]int{}, ids: map[string]model.OpID{}, inCase: map[model.OpID]bool{},
		router: route.New(spec), hosts: map[string]bool{}, hostsGiven: len(hosts) > 0,
	}
	for _, op := range slices.Backward(spec.Operations) {
		e.ids[draw.Clean(string(op.ID))] = op.ID
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

// Read adds the tests of a file. If file is "-", it reads them from in.
func (e *Evidence) Read(file string, in io.Reader) error {
	var trails codec.RequestSeqs
	var err error
	if file == "-" {
		file = "standard input"
		trails, err = codec.ReadRequestSeqs(file, in)
	} else {
		trails, err = codec.OpenRequestSeqs(file)
	}
	if err != nil {
		return err
	}
	e.Files++
	e.Unread += trails.Unread
	mine := e.service(trails)
	for _, t := range trails.All {
		f := NamedSeq{File: file, Name: t.Name}
		for _, step := range t.Steps {
			f.Seq = append(f.Seq, e.operation(f, step, mine)...)
		}
		e.Seqs = append(e.Seqs, f)
	}
	return nil
}

// operation returns the operation that a step calls, as a seq of one operation. It returns an operation
// that the step names even if the spec does not have it. It counts requests to other hosts, requests
// that match no operation, and operations outside the table, and returns nil for them.
func (e *Evidence) operation(f NamedSeq, s codec.RequestStep, hosts map[string]bool) model.Seq {
	id := s.Op
	if known, ok := e.ids[string(id)]; ok {
		id = known
	}
	if id == "" {
		if host := hostIn(s.URL); host != "" && !containsHost(hosts, host) {
			e.OtherHosts[host]++
			return nil
		}
		m, ok := e.router.FindOperation(s.Method, s.URL)
		if !ok {
			e.Unmatched = append(e.Unmatched, Request{File: f.File, Seq: f.Name, Method: s.Method, URL: s.URL})
			return nil
		}
		id = m.Op.ID
	}
	if _, known := e.ids[string(id)]; known && !e.inCase[id] {
		e.OtherTags++
		return nil
	}
	return model.Seq{id}
}

// service returns the hosts of the service in a file. These are usually the known hosts. If the user named no hosts,
// and no request of the file went to a known host, service assumes the host with the most requests that match an
// operation. If no request matches, it returns the known hosts.
func (e *Evidence) service(t codec.RequestSeqs) map[string]bool {
	if e.hostsGiven {
		return e.hosts
	}
	hits := map[string]int{}
	for _, trail := range t.All {
		for _, s := range trail.Steps {
			host := hostIn(s.URL)
			if containsHost(e.hosts, host) {
				return e.hosts
			}
			if _, ok := e.router.FindOperation(s.Method, s.URL); ok && host != "" {
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
	if !slices.Contains(e.AssumedHosts, best) {
		e.AssumedHosts = append(e.AssumedHosts, best)
	}
	return map[string]bool{best: true}
}

// containsHost reports whether hosts contains a host, with or without its port.
func containsHost(hosts map[string]bool, host string) bool {
	bare := host
	if u, err := url.Parse("//" + host); err == nil {
		bare = u.Hostname()
	}
	return hosts[host] || hosts[bare]
}

// hostIn returns the host of a URL with its port, in lower case. For a URL without a host it returns the
// scheme with its colon, such as "data:", and for a path it returns "".
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
