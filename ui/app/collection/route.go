package collection

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/collection"
	"sonde/model/route"
)

// Route is a request with its operation, or with the reason why it has none.
type Route struct {
	Request collection.Request
	// Target is the URL of the request with the values of variables. A variable without a value stays.
	Target string
	Op     *model.Operation // nil for none
	Args   []model.Arg      // the values of the path parameters
	Why    string           // why there is no operation
}

// Service is the service whose operations are looked up.
type Service struct {
	Spec *model.Spec
	URL  string // the URL that the user configured, "" for none
	// Others are URLs of the service in other environments, "" for none.
	Others []string
	// Users are the users whom a request may name, or whose credentials it may have.
	Users []model.User
}

// Routes returns the routes of the requests of a collection. A request belongs to the service if its URL has no host,
// or a host of the specification, of the configured URL or of loopback, or one that is a variable without a value. If
// there are requests to other hosts only, the host with the most matching requests is taken for the service.
func (s Service) Routes(c collection.Collection) []Route {
	r := route.New(s.Spec)
	values := c.Values()
	var all []Route
	for _, request := range c.Requests {
		one := Route{Request: request, Target: collection.FillAll(request.URL, values)}
		own := s.withoutBase(collection.RoutedURL(one.Target))
		if found, ok := r.FindOperation(request.Method, own); ok {
			one.Op, one.Args = found.Op, found.Args
		} else {
			one.Why = s.whyNone(r, request.Method, own)
		}
		all = append(all, one)
	}
	s.checkHosts(all)
	return all
}

// withoutBase returns a URL without the path of the service's URL, or of that in another environment.
func (s Service) withoutBase(text string) string {
	for _, base := range append([]string{s.URL}, s.Others...) {
		if rest := withoutURL(text, base); rest != text {
			return rest
		}
	}
	return text
}

// withoutURL returns a URL without the path of a service's URL.
func withoutURL(text, service string) string {
	_, base, found := strings.Cut(strings.TrimRight(service, "/"), "://")
	if !found {
		return text
	}
	_, base, found = strings.Cut(base, "/")
	path := pathOf(text)
	rest, under := strings.CutPrefix(path, "/"+base+"/")
	if !found || !under || !strings.HasPrefix(text, "/") && hostOf(text) != hostOf(service) {
		return text
	}
	if _, query, has := strings.Cut(text, "?"); has {
		rest += "?" + query
	}
	return "/" + rest
}

// whyNone returns the reason why a request has no operation.
func (s Service) whyNone(r *route.Router, method, target string) string {
	methods := map[string]bool{}
	for _, op := range s.Spec.Operations {
		methods[op.Method] = true
	}
	var others []string
	for _, other := range slices.Sorted(maps.Keys(methods)) {
		if found, ok := r.FindOperation(other, target); ok && other != method {
			others = append(others, string(found.Op.ID))
		}
	}
	if others != nil {
		return "the method: the spec has " + strings.Join(others, ", ")
	}
	return fmt.Sprintf("the path: no path of the spec is like %s", pathOf(target))
}

// pathOf returns the path of a URL.
func pathOf(target string) string {
	target, _, _ = strings.Cut(target, "?")
	if _, rest, found := strings.Cut(target, "://"); found {
		_, path, _ := strings.Cut(rest, "/")
		return "/" + path
	}
	return target
}

// checkHosts removes the operations of requests to hosts that are not the service.
func (s Service) checkHosts(all []Route) {
	known := map[string]bool{}
	for _, server := range slices.Concat(s.Spec.Servers, []string{s.URL}, s.Others) {
		if host := hostOf(server); host != "" {
			known[host] = true
		}
	}
	counts := map[string]int{}
	for _, one := range all {
		host := hostOf(collection.RoutedURL(one.Target))
		if one.Op != nil && host != "" {
			counts[host]++
		}
	}
	if !slices.ContainsFunc(all, func(one Route) bool { return one.Op != nil && isService(one.Target, known) }) {
		known[mostFrequent(counts)] = true
	}
	for i := range all {
		if all[i].Op != nil && !isService(all[i].Target, known) {
			names := slices.Sorted(maps.Keys(known))
			all[i].Op, all[i].Args = nil, nil
			all[i].Why = fmt.Sprintf("the host: %s is not the service's", hostOf(collection.RoutedURL(all[i].Target)))
			if len(names) > 0 {
				all[i].Why += ", which is " + strings.Join(names, ", ")
			}
		}
	}
}

// isService reports whether a URL may be one of the service.
func isService(text string, known map[string]bool) bool {
	host := hostOf(collection.RoutedURL(text))
	if host == "" || known[host] || strings.Contains(host, "{{") {
		return true
	}
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// hostOf returns the host of a URL with its port, in lower case, "" for none.
func hostOf(text string) string {
	scheme, rest, found := strings.Cut(text, "://")
	if !found || scheme == "" {
		return ""
	}
	host := rest
	if end := strings.IndexAny(host, "/?#"); end >= 0 {
		host = host[:end]
	}
	if u, err := url.Parse(scheme + "://" + host); err == nil {
		host = u.Host
	}
	return strings.ToLower(host)
}

// mostFrequent returns the key with the largest count, and of several the first.
func mostFrequent(counts map[string]int) string {
	best := ""
	for _, host := range slices.Sorted(maps.Keys(counts)) {
		if best == "" || cmp.Compare(counts[host], counts[best]) > 0 {
			best = host
		}
	}
	return best
}
