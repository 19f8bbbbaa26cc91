package unittests

import (
	"fmt"
	"go/types"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sonde/assets/probe/sondevalue"
)

// request declares a *http.Request with what was recorded of it.
func (b *testBuilder) request(i int, param *types.Var, v sondevalue.Value) (string, error) {
	return b.newRequest(b.variable(orName(param.Name())), v, b.inv.After.Args[i].Bytes, b.before)
}

// newRequest declares a *http.Request whose body is what was read of it, and returns the name.
func (b *testBuilder) newRequest(name string, v sondevalue.Value, read []byte, m memory) (string, error) {
	path, err := b.requestPath(v, m)
	if err != nil {
		return "", err
	}
	body := "nil"
	if len(read) > 0 {
		body = b.file.imports.std("strings") + ".NewReader(" + quoted(string(read)) + ")"
	}
	method := fieldOf(v, "Method").Text
	if method == "" {
		method = "GET"
	}
	test := b.file.imports.std("net/http/httptest")
	b.setup = append(b.setup, fmt.Sprintf("%s := %s.NewRequest(%q, %q, %s)", name, test, method, path, body))
	if err := b.requestHeaders(name, v, m); err != nil {
		return "", err
	}
	if addr := fieldOf(v, "RemoteAddr").Text; addr != "" {
		b.setOptional(name+".RemoteAddr", fmt.Sprintf("%s.RemoteAddr = %q", name, addr))
	}
	if host := fieldOf(v, "Host").Text; host != "" {
		b.setOptional(name+".Host", fmt.Sprintf("%s.Host = %q", name, host))
	}
	for i, one := range b.matches(v, m) {
		if names := wildcards.FindAllStringSubmatch(fieldOf(v, "Pattern").Text, -1); i < len(names) {
			b.setOptional(name+".PathValue "+names[i][1], fmt.Sprintf("%s.SetPathValue(%q, %s)", name, names[i][1], quoted(one.Text)))
		}
	}
	values, _ := m.at(fieldOf(v, "otherValues").Ref)
	for _, e := range sortedEntries(values.Entries) {
		b.setOptional(name+".PathValue "+e.Key.Text, fmt.Sprintf("%s.SetPathValue(%q, %q)", name, e.Key.Text, e.Value.Text))
	}
	return name, b.requestContext(name, v, m)
}

// wildcards matches the wildcards with names in a pattern of http.ServeMux.
var wildcards = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

// matches returns what the wildcards of the pattern matched.
func (b *testBuilder) matches(v sondevalue.Value, m memory) []sondevalue.Value {
	list, _ := m.at(fieldOf(v, "matches").Ref)
	return list.Elems
}

// requestPath returns the path and query of a request.
func (b *testBuilder) requestPath(v sondevalue.Value, m memory) (string, error) {
	u, ok := m.at(fieldOf(v, "URL").Ref)
	if !ok {
		return "", fmt.Errorf("the URL of a request was not read")
	}
	target := url.URL{Path: fieldOf(u, "Path").Text, RawPath: fieldOf(u, "RawPath").Text, RawQuery: fieldOf(u, "RawQuery").Text}
	if !strings.HasPrefix(target.Path, "/") {
		target.Path, target.RawPath = "/"+target.Path, ""
	}
	return target.String(), nil
}

// transportHeaders are headers that clients, or Sonde while it records, add to each request.
var transportHeaders = []string{
	"Accept-Encoding", "User-Agent", "Accept", "Connection", "Content-Length",
	"Traceparent", "Tracestate", "B3", "X-B3-Traceid", "X-B3-Spanid", "X-B3-Parentspanid", "X-B3-Sampled",
}

func (b *testBuilder) requestHeaders(name string, v sondevalue.Value, m memory) error {
	headers, ok := m.at(fieldOf(v, "Header").Ref)
	if !ok {
		return nil
	}
	for _, e := range sortedEntries(headers.Entries) {
		values, _ := m.at(e.Value.Ref)
		if slices.Contains(transportHeaders, e.Key.Text) {
			continue
		}
		for j, one := range values.Elems {
			set := "Add"
			if j == 0 {
				set = "Set"
			}
			line := fmt.Sprintf("%s.Header.%s(%q, %s)", name, set, e.Key.Text, quoted(one.Text))
			b.setOptional(fmt.Sprintf("%s.Header %s %d", name, e.Key.Text, j), line)
		}
	}
	return nil
}

// requestContext adds the context of a request, if it has values. Values whose key is hidden are set by the package of the
// key.
func (b *testBuilder) requestContext(name string, v sondevalue.Value, m memory) error {
	if len(v.Elems) == 0 {
		return nil
	}
	text, err := b.lits.context(v.Elems[0], m)
	if err != nil {
		return err
	}
	if strings.Contains(text, ", ") { // it has values
		b.setOptional(name+".Context", fmt.Sprintf("%s = %s.WithContext(%s)", name, name, text))
	}
	for _, e := range slices.Backward(newestValues(v.Elems[0], m)) {
		_, hidden := b.lits.inInterface(e.Key, types.Universe.Lookup("any").Type(), m)
		f := b.lits.setter(e, requestType)
		if hidden == nil || f == nil || b.lits.setter(e, contextType) != nil {
			continue
		}
		value, err := b.lits.inInterface(e.Value, types.Universe.Lookup("any").Type(), m)
		if err != nil {
			return fmt.Errorf("a value of a context: %w", err)
		}
		b.setOptional(name+".Context "+f.FullName(), name+" = "+b.lits.set(f, name, value))
	}
	return nil
}

func sortedEntries(all []sondevalue.Entry) []sondevalue.Entry {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b sondevalue.Entry) int { return strings.Compare(a.Key.Text, b.Key.Text) })
	return all
}
