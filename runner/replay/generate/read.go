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

// message is what one side said.
type message struct {
	leaves []leaf
	body   any    // as JSON, where isJSON
	isJSON bool   // and not empty
	text   string // the body, where it is text
	bytes  []byte // the body, where it is none
	plain  []byte // the body in any case, without its compression
	why    string // why it is not known whole, or cannot be written down
}

// value is what the body says: as JSON, or as a text.
func (m message) value() any {
	if m.isJSON {
		return m.body
	}
	return m.text
}

// newMessage reads a body.
func newMessage(header map[string][]string, body []byte, truncated bool) message {
	body, why := unpacked(header, body)
	switch {
	case truncated:
		return message{why: "was not recorded whole"}
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

// mostUnpacked is how long a body is at most when it is not compressed any more.
const mostUnpacked = 16 << 20

// unpacked is a body without its compression, and why there is none.
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
			return nil, "is no gzip, though it says so"
		}
		plain, err := io.ReadAll(io.LimitReader(r, mostUnpacked+1))
		if err != nil || len(plain) > mostUnpacked {
			return nil, "is gzip that is broken or longer than 16 MiB"
		}
		return plain, ""
	default:
		return nil, "is compressed by " + strconv.Quote(model.Printable(how, 20)) + ", which cannot be read"
	}
}

// first is a header's first value, however its name is written.
func first(header map[string][]string, name string) string {
	for key, values := range header {
		if strings.EqualFold(key, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// form are the fields of a form, as leaves that links can lead to.
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

// names knows what the values of operations are called by everybody.
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

// general is a JSON pointer to any item of the lists on its way.
func general(at string) string {
	parts := strings.Split(at, "/")
	for i, part := range parts {
		if _, err := strconv.Atoi(part); err == nil {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, "/")
}

// know says what the leaves of an operation's message are known as.
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

// means reports whether a use of the spec is a leaf.
func (n names) means(u match.ValueUse, l leaf) bool {
	switch l.in {
	case model.InBody:
		return (u.In == model.InBody || u.In == model.InResponse) && u.Pointer == general(l.name) && u.Pointer != ""
	case model.InHeader:
		return u.In == l.in && strings.EqualFold(u.Name, l.name)
	}
	return u.In == l.in && u.Name == l.name
}

// outside says what the leaves of a message to another service are known as: there is
// no document of it. A part of its path is called after the one before it.
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
