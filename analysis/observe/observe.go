// Package observe finds references between values in recorded traffic. For example, a document has a field
// "supplier_code" but does not say what the field identifies. If all values of the field in many answers are ids of
// vendors, the field refers to a vendor. In databases this is called the discovery of foreign keys by inclusion
// dependencies (Rostin et al., A Machine Learning Approach to Foreign Key Discovery, WebDB 2009).
//
// The package calls no service.
package observe

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
	"sonde/model/route"
)

// Limits of the stored values, because traffic may be long and hostile.
const (
	maxValues = 10_000 // maximum number of distinct values of one identity
	maxLength = 200    // maximum length of a value in bytes; identifiers are shorter
)

// observer collects the values in the traffic of an API by their identity.
type observer struct {
	matcher *match.Matcher
	router  *route.Router
	// generated reports whether a search generated the requests. The values in such requests are no evidence, and
	// neither are answers that repeat these values.
	generated bool
	columns   map[string]*column // key: the identity
	sent      map[sentValue]bool
}

// sentValue is a value that a client sent, with the name of its parameter or field.
type sentValue struct{ name, text string }

// Corrections returns the corrections of a spec's values that follow from exchanges, in the order of the operations.
// The exchanges must be sorted by time. generated reports whether a search generated the requests. from describes the
// exchanges in the evidence of the corrections. Values that the user has corrected are left out.
//
// If some exchanges are with the hosts of the spec's absolute server URLs, all other exchanges are ignored.
func Corrections(spec *model.Spec, exchanges []model.Exchange, generated bool, from string) []model.ValueCorrection {
	o := newObserver(spec, match.New(spec.Operations, match.DefaultMode, spec.Corrections...), generated)
	hosts := hostsOf(spec)
	anyOwn := slices.ContainsFunc(exchanges, func(x model.Exchange) bool { return hosts[hostOf(x.Base)] })
	for _, x := range exchanges {
		if !anyOwn || hosts[hostOf(x.Base)] {
			o.add(x)
		}
	}
	return o.corrections(spec.Operations, from)
}

// hostsOf returns the hosts, with ports, in the URLs of a spec's servers. A relative URL has no host.
func hostsOf(spec *model.Spec) map[string]bool {
	hosts := map[string]bool{}
	for _, s := range spec.Servers {
		if host := hostOf(s); host != "" {
			hosts[host] = true
		}
	}
	return hosts
}

// hostOf returns the host of a URL with its port, in lower case. It returns "" if the URL has no host.
func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// newObserver returns an observer of the traffic of a spec's service. m is the matcher of the spec without
// corrections from traffic. generated reports whether a search generated the requests.
func newObserver(spec *model.Spec, m *match.Matcher, generated bool) *observer {
	o := &observer{
		matcher: m, router: route.New(spec), generated: generated,
		columns: map[string]*column{}, sent: map[sentValue]bool{},
	}
	for _, op := range spec.Operations {
		for _, u := range m.UsesOf(op) {
			c := o.columns[u.ID]
			if c == nil {
				c = newColumn(u.ID)
				o.columns[u.ID] = c
			}
			c.isCorrected = c.isCorrected || len(m.CorrectionsOf(op, u)) > 0
			c.addUse(u)
		}
	}
	return o
}

// add adds an exchange. Exchanges must be added in the order of time. add ignores an exchange that matches no
// operation. If the exchange has an error or a status other than 2xx, add stores only the values that the client
// sent.
func (o *observer) add(x model.Exchange) {
	found, ok := o.router.FindOperation(x.Request.Method, x.Request.URL)
	if !ok {
		return
	}
	request := newMessage(found.Args, x.Request.URL, x.Request.Body)
	answer := message{body: decode(x.Reply.Body)}
	succeeded := x.Err == nil && x.Reply.Status/100 == 2
	for _, u := range o.matcher.UsesOf(found.Op) {
		switch {
		case !u.Out:
			request.each(u, func(text string, _ map[string]any) {
				o.sent[sentValue{u.Name, text}] = true
				if succeeded && !o.generated {
					o.columns[u.ID].add(text)
				}
			})
		case succeeded && u.In == model.InResponse && !u.IsPart():
			answer.each(u, func(text string, around map[string]any) {
				if o.generated && o.sent[sentValue{u.Name, text}] && u.Kind != match.KindIdentifier {
					return
				}
				c := o.columns[u.ID]
				c.add(text)
				c.addAround(text, around, pointer.LastToken(u.Pointer))
			})
		}
	}
	if succeeded {
		o.addLists(found.Op, answer.body)
	}
}

// addLists stores values of an identifier that occur in several elements of a list. It does so only if another
// identifier of the elements has a different value in each element.
func (o *observer) addLists(op *model.Operation, body any) {
	fields := map[string][]match.ValueUse{} // key: the pointer of a list; value: the identifiers of its elements
	for _, u := range o.matcher.UsesOf(op) {
		list, isElement := strings.CutSuffix(pointer.Parent(u.Pointer), "/0")
		if isElement && u.Out && u.Kind == match.KindIdentifier && !u.IsPart() {
			fields[list] = append(fields[list], u)
		}
	}
	for at, uses := range fields {
		if len(uses) < 2 {
			continue
		}
		eachAt(body, at, nil, func(v any, _ map[string]any) {
			list, _ := v.([]any)
			repeated := make([][]string, len(uses))
			unique := false
			for i, u := range uses {
				repeated[i] = repeatedIn(list, pointer.LastToken(u.Pointer))
				unique = unique || len(repeated[i]) == 0
			}
			for i, u := range uses {
				for _, text := range repeated[i] {
					if unique {
						o.columns[u.ID].repeated[text] = true
					}
				}
			}
		})
	}
}

// repeatedIn returns the values that several objects of a list have in a field. A missing field counts as
// the value "".
func repeatedIn(list []any, field string) (repeated []string) {
	seen := map[string]int{}
	for _, element := range list {
		object, _ := element.(map[string]any)
		text := scalar(object[field])
		if seen[text]++; seen[text] == 2 {
			repeated = append(repeated, text)
		}
	}
	return repeated
}

// message is a request or an answer.
type message struct {
	params map[string]string // the parameters of the path and the query; key: location and name
	body   any
}

func newMessage(args []model.Arg, target string, body []byte) message {
	m := message{params: map[string]string{}, body: decode(body)}
	if u, err := url.Parse(target); err == nil {
		for name, all := range u.Query() {
			m.params[string(model.InQuery)+name] = all[0]
		}
	}
	for _, a := range args {
		m.params[string(model.InPath)+a.Name] = a.Value
	}
	return m
}

// decode returns the JSON value of a body, or nil if the body is not JSON. Numbers keep their digits.
func decode(body []byte) (v any) {
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// each calls f for the values of the use u in the message that are texts or whole numbers. around is the object that
// has the value, nil for none.
func (m *message) each(u match.ValueUse, f func(text string, around map[string]any)) {
	switch u.In {
	case model.InPath, model.InQuery:
		if text := m.params[string(u.In)+u.Name]; text != "" && len(text) <= maxLength {
			f(text, nil)
		}
	case model.InBody, model.InResponse:
		eachAt(m.body, u.Pointer, nil, func(v any, around map[string]any) {
			list, isList := v.([]any)
			if !isList {
				list = []any{v}
			}
			for _, element := range list {
				if text := scalar(element); text != "" {
					f(text, around)
				}
			}
		})
	}
}

// eachAt calls f for each value at a pointer in v. around is the object that has the value. In a list, the token 0
// means all elements.
func eachAt(v any, at string, around map[string]any, f func(v any, around map[string]any)) {
	if at == "" {
		f(v, around)
		return
	}
	token, rest, more := strings.Cut(at[1:], "/")
	if more {
		rest = "/" + rest
	}
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			if token == "0" {
				eachAt(element, rest, around, f)
			}
		}
	case map[string]any:
		if inner, ok := v[pointer.Unescape(token)]; ok {
			eachAt(inner, rest, v, f)
		}
	}
}

// scalar returns a text, or a whole number as text. It returns "" for all other values, and for a text longer than
// maxLength.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		if len(v) <= maxLength {
			return v
		}
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return v.String()
		}
	}
	return ""
}

// corrections returns the corrections that follow from the traffic, in the order of the operations. from describes the
// traffic in the evidence of the corrections.
func (o *observer) corrections(ops []*model.Operation, from string) (all []model.ValueCorrection) {
	done := map[string]bool{}
	for _, op := range ops {
		for _, u := range o.matcher.UsesOf(op) {
			c := o.columns[u.ID]
			if c.isCorrected || done[c.id] {
				continue
			}
			done[c.id] = true
			if key := o.referred(c); key != nil {
				all = append(all, model.ValueCorrection{
					Value: c.id, Kind: model.KindReference, Is: key.id,
					Evidence: fmt.Sprintf("its %d values in %s are values of %s", len(c.values), from, key.id),
				})
			} else if c.identifies && !c.inPath && len(c.repeated) >= minRepeated {
				all = append(all, model.ValueCorrection{
					Value: c.id, Kind: model.KindAttribute,
					Evidence: fmt.Sprintf("different elements have the same value in %s", from),
				})
			}
		}
	}
	return all
}

// referred returns the column of identifiers to which the values of c refer. It returns nil if the traffic shows no
// reference.
func (o *observer) referred(c *column) (best *column) {
	if !c.mayRefer || c.identifies || len(c.values) < minValues {
		return nil
	}
	for _, key := range o.columns {
		if key.identifies && key.holds(c) && (best == nil || key.isBetterThan(best)) {
			best = key
		}
	}
	return best
}
