package generate

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// message is a request, an answer or a raw message, decoded.
type message struct {
	leaves []leaf
	body   any    // decoded JSON, if isJSON
	isJSON bool   // the body is JSON and not empty
	text   string // the body, if it is text
	bytes  []byte // the body, if it is binary
	plain  []byte // the body without its compression
	why    string // why it is incomplete or cannot be written into a test; "" if it can
}

// value returns the body: decoded JSON, or a text.
func (m message) value() any {
	if m.isJSON {
		return m.body
	}
	return m.text
}

// newMessage decodes a body.
func newMessage(header map[string][]string, body []byte, truncated bool) message {
	body, why := unpacked(header, body)
	switch {
	case truncated:
		return message{why: "was not recorded completely"}
	case why != "":
		return message{why: why}
	case !utf8.Valid(body):
		return message{bytes: body, plain: body, why: "is binary, of " + strconv.Itoa(len(body)) + " bytes"}
	}
	m := message{text: string(body), plain: body}
	m.body, m.isJSON = decode(body)
	if m.isJSON {
		m.leaves = leavesOf(m.body)
	} else if len(body) > 0 {
		m.leaves = []leaf{{in: model.InBody, value: m.text}}
	}
	return m
}

// maxUnpacked is the maximum size of a decompressed body.
const maxUnpacked = 16 << 20

// unpacked returns a body without its compression, or why that is not possible.
func unpacked(header map[string][]string, body []byte) ([]byte, string) {
	switch how := strings.ToLower(first(header, "Content-Encoding")); how {
	case "", "identity":
		return body, ""
	case "gzip", "x-gzip":
		if len(body) == 0 {
			return body, ""
		}
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, "is declared as gzip, but is not"
		}
		plain, err := io.ReadAll(io.LimitReader(r, maxUnpacked+1))
		if err != nil || len(plain) > maxUnpacked {
			return nil, "is gzip that is broken or larger than 16 MiB"
		}
		return plain, ""
	default:
		return nil, "is compressed by " + strconv.Quote(model.Printable(how, 20)) + ", which cannot be read"
	}
}

// first returns the first value of a header, in any case of its name.
func first(header map[string][]string, name string) string {
	for key, values := range header {
		if strings.EqualFold(key, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// form returns the fields of a form, as leaves that links can set.
func form(media, text string) []leaf {
	if !strings.HasPrefix(media, "application/x-www-form-urlencoded") {
		return nil
	}
	fields, err := url.ParseQuery(text)
	if err != nil {
		return nil
	}
	var all []leaf
	for name, values := range fields {
		if len(values) == 1 {
			all = append(all, leaf{in: model.InBody, name: "/" + pointer.Escape(name), value: values[0]})
		}
	}
	slices.SortFunc(all, func(a, b leaf) int { return strings.Compare(a.name, b.name) })
	return all
}

// names are the names under which the values of operations are known.
type names struct {
	uses       map[model.OpID][]match.ValueUse
	identities map[string]bool
}

func newNames(spec *model.Spec) names {
	m := match.New(spec.Operations, match.DefaultMode)
	n := names{map[model.OpID][]match.ValueUse{}, map[string]bool{}}
	for _, op := range spec.Operations {
		n.uses[op.ID] = m.UsesOf(op)
		for _, u := range m.UsesOf(op) {
			if u.IsReference || u.In == model.InPath || strings.HasSuffix(u.ID, ".id") {
				n.identities[u.ID] = true
			}
		}
	}
	return n
}

// general returns a JSON pointer with every list index replaced: a pointer to any item.
func general(at string) string {
	parts := strings.Split(at, "/")
	for i, part := range parts {
		if _, err := strconv.Atoi(part); err == nil {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, "/")
}

// know sets the names under which the leaves of an operation's message are known.
func (n names) know(op model.OpID, out bool, leaves []leaf) {
	for i := range leaves {
		l := &leaves[i]
		l.kinds, l.identity = []string{plain(l.called())}, idName.MatchString(l.called())
		for _, u := range n.uses[op] {
			if u.Out == out && n.means(u, *l) {
				l.kinds = append(l.kinds, plain(u.ID))
				l.identity = l.identity || n.identities[u.ID]
				break
			}
		}
	}
}

// means reports whether a use in the spec refers to a leaf.
func (n names) means(u match.ValueUse, l leaf) bool {
	switch l.in {
	case model.InBody:
		return (u.In == model.InBody || u.In == model.InResponse) && u.Pointer == general(l.name) && u.Pointer != ""
	case model.InHeader:
		return u.In == l.in && strings.EqualFold(u.Name, l.name)
	}
	return u.In == l.in && u.Name == l.name
}

// outside sets the names of the leaves of a message to another service, which has no spec here: a
// part of its path is named after the part before it.
func outside(leaves []leaf) {
	for i := range leaves {
		l := &leaves[i]
		l.kinds, l.identity = []string{plain(l.called())}, idName.MatchString(l.called())
		if l.in == model.InPath {
			l.identity = true
			l.kinds = nil
			if at, _ := strconv.Atoi(l.name); at > 0 {
				l.kinds = []string{plain(match.Singular(strings.ToLower(leaves[i-1].text()))) + "id"}
			}
		}
	}
}
