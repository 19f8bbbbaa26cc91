package format

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sonde/export"
	"sonde/model"
	"sonde/model/pointer"
)

// hurl writes a file for Hurl.
func hurl(s export.Script) []byte {
	w := &hurlWriter{writer: newWriter(), public: public(s), insecure: s.Insecure}
	base := s.BaseURL
	if base == "" {
		base = "http://127.0.0.1:8080"
	}
	where := "hurl --test --variable base_url=" + sh(base)
	for _, v := range s.Secrets {
		if v.Default == "" {
			where += " --variable " + v.Name + `="$` + v.Name + `"`
		}
	}
	w.region("# ", "head", func() {
		w.remarks("# ", head(s, "It needs Hurl 7 or later.", where+" "+map[bool]string{false: "sonde.hurl", true: "sonde_faults.hurl"}[s.Shows])...)
	})
	for _, c := range s.Cases {
		w.region("# ", c.Name, func() { w.test(s.Reset, c) })
	}
	return []byte(w.String())
}

func (w *hurlWriter) test(reset *export.Request, c export.Case) {
	w.remarks("# ", c.About...)
	if reset != nil && c.Skip == "" {
		w.request(*reset, "")
		w.line("HTTP *\n[Asserts]\nstatus >= 200\nstatus < 300")
	}
	for _, step := range c.Steps {
		w.skips = c.Skip != ""
		w.step(c, step)
	}
	w.skips = false
}

// hurlLacks is what no Hurl file can say.
const hurlLacks = "Objects are compared member by member: members that come besides are not seen."

type hurlWriter struct {
	writer
	public   map[string]string
	insecure bool
	skips    bool // the test that is written
}

// request writes one, with a comment above it.
func (w *hurlWriter) request(r export.Request, about string) {
	w.line("")
	if about != "" {
		w.line("# %s", about)
	}
	path := w.parts(r.Path, hurlURL)
	w.line("%s {{base_url}}%s", r.Method, path)
	for _, h := range r.Headers {
		w.line("%s: %s", hurlKey(h.Name), w.parts(h.Value, hurlText))
	}
	if r.Basic != nil {
		user, password, _ := strings.Cut(w.parts(r.Basic, hurlText), ":")
		w.line("[BasicAuth]\n%s: %s", user, password)
	}
	for i, option := range w.options(path) {
		if i == 0 {
			w.line("[Options]")
		}
		w.line("%s: true", option)
	}
	if r.Body != nil {
		w.line("%s", w.body(r.Body))
	}
}

// options are those of a request with a path.
func (w *hurlWriter) options(path string) []string {
	var all []string
	if climbs.MatchString(path) {
		all = append(all, "path-as-is")
	}
	if w.insecure {
		all = append(all, "insecure")
	}
	if w.skips {
		all = append(all, "skip")
	}
	return all
}

// body is one as it is: JSON of several lines as JSON, other texts in one line.
func (w *hurlWriter) body(b *export.Body) string {
	text, ok := fixed(b.Parts)
	switch {
	case ok && !utf8.ValidString(text):
		return "base64," + base64.StdEncoding.EncodeToString([]byte(text)) + ";"
	case b.JSON && !strings.ContainsAny(joined(b.Parts, "", itself, func(export.Part) string { return "" }), "\\") && !strings.Contains(text, "{{") && strings.HasPrefix(b.Parts[0].Text, "{"):
		return w.parts(b.Parts, itself)
	}
	return "`" + w.parts(b.Parts, hurlText) + "`"
}

func itself(text string) string { return text }

func (w *hurlWriter) step(c export.Case, s export.Step) {
	about := ""
	if s.Fault() {
		about = export.FaultRemark(s.Status)
	}
	w.request(s.Request, about)
	if s.Status == 0 {
		w.line("HTTP *")
	} else {
		w.line("HTTP %d", s.Status)
	}
	for i, t := range captures(c, s) {
		if i == 0 {
			w.line("[Captures]")
		}
		w.line("%s", t)
	}
	var all []string
	for _, want := range s.Wants {
		all = append(all, hurlWanted(want, s.Broken))
	}
	for _, k := range s.Checks {
		all = append(all, asserts(jsonPath(k.Pointer), k)...)
	}
	for i, a := range all {
		if i == 0 {
			w.line("[Asserts]")
		}
		w.line("%s", a)
	}
}

// unsaidInHurl says why Hurl cannot say what is wanted.
func unsaidInHurl(w export.Want) string {
	switch {
	case strings.Contains(w.Pointer, "*"):
		return "Hurl cannot ask for something of each item"
	case w.Kind == export.WantType && len(w.Values) > 1 || w.Kind == export.WantAmong && len(w.Values) > 1:
		return "Hurl cannot ask for one of several"
	}
	return ""
}

// hurlTypes are the predicates for types of JSON.
var hurlTypes = map[string]string{
	"string": "isString", "number": "isNumber", "integer": "isInteger", "boolean": "isBoolean", "object": "isObject", "array": "isList", "null": "== null",
}

// hurlWanted is what is wanted, or where it is broken is not so.
func hurlWanted(w export.Want, broken bool) string {
	not := map[bool]string{true: "not "}[broken]
	pattern := func() string { return `matches "` + hurlText(w.Values[0]) + `"` }
	place := `jsonpath "` + hurlText(jsonPath(w.Pointer)) + `" ` + not
	switch w.Kind {
	case export.WantStatus:
		return `status toString matches "` + hurlText(statusPattern(w.Values)) + `"`
	case export.WantHeader:
		return `header "` + hurlText(w.Header) + `" ` + not + pattern()
	case export.WantWithout:
		return "body " + map[bool]string{false: "not "}[broken] + pattern()
	case export.WantAbsent:
		return `jsonpath "` + hurlText(jsonPath(w.Pointer)) + `" ` + map[bool]string{false: "not "}[broken] + "exists"
	case export.WantType:
		return place + hurlTypes[w.Values[0]]
	case export.WantAmong:
		return place + "== " + hurlLiteral(w.Values[0])
	case export.WantMatch:
		return place + pattern()
	case export.WantSame:
		return place + "== {{" + w.Take.Join("_") + "}}"
	}
	return place + "exists"
}

// hurlLiteral is a JSON text or number as Hurl has it.
func hurlLiteral(text string) string {
	var s string
	if json.Unmarshal([]byte(text), &s) == nil {
		return `"` + hurlText(s) + `"`
	}
	return text
}

// statusPattern is a regular expression for some statuses; a range is of whole hundreds but for
// its ends.
func statusPattern(wanted []string) string {
	var all []string
	for _, one := range wanted {
		low, high, isRange := strings.Cut(one, "-")
		if !isRange || low[1:] != "00" || high[1:] != "99" {
			high = cmp.Or(high, low)
			from, _ := strconv.Atoi(low)
			to, _ := strconv.Atoi(high)
			for status := from; status <= to; status++ {
				all = append(all, strconv.Itoa(status))
			}
			continue
		}
		all = append(all, "["+low[:1]+"-"+high[:1]+"][0-9][0-9]")
	}
	return "^(" + strings.Join(all, "|") + ")$"
}

// captures are what a step takes, once more for each way in which it has to be spelled.
func captures(c export.Case, s export.Step) []string {
	var all []string
	for _, t := range s.Takes {
		from := `jsonpath "` + hurlText(jsonPath(t.Pointer)) + `"`
		spelled := from + " toString"
		if t.Header != "" {
			from = `header "` + hurlText(t.Header) + `" regex "([^/?#]+)/*(?:[?#].*)?$" urlDecode`
			spelled = from
		}
		raw, escaped := used(c, t)
		if raw {
			all = append(all, t.Join("_")+": "+from)
		}
		if escaped {
			all = append(all, t.Join("_")+"_escaped: "+spelled+` urlEncode replace "/" "%2F"`)
		}
	}
	return all
}

// used tells whether calls take a value as it is, and escaped for a URL.
func used(c export.Case, t *export.Take) (raw, escaped bool) {
	for _, s := range c.Steps {
		for _, p := range allParts(s.Request) {
			if p.Take == t {
				inURL := p.As == export.AsPath || p.As == export.AsQuery || p.As == export.AsForm
				raw, escaped = raw || !inURL, escaped || inURL
			}
		}
		raw = raw || slices.ContainsFunc(s.Wants, func(w export.Want) bool { return w.Take == t })
	}
	return raw, escaped
}

// parts are text with templates in it.
func (w *hurlWriter) parts(parts []export.Part, literal func(string) string) string {
	return joined(parts, "", literal, func(p export.Part) string {
		text, isPublic := w.public[p.Env]
		switch {
		case isPublic:
			return literal(text)
		case p.Env != "":
			return "{{" + p.Env + "}}"
		case p.As == export.AsJSON:
			return `"{{` + p.Take.Join("_") + `}}"`
		case p.As == export.AsNumber || p.As == export.AsText:
			return "{{" + p.Take.Join("_") + "}}"
		}
		return "{{" + p.Take.Join("_") + "_escaped}}"
	})
}

// hurlURL is a piece of a URL, in which braces are escaped anyway.
func hurlURL(text string) string { return strings.ReplaceAll(text, "#", `\#`) }

// hurlText is a text in which everything that could mean something is escaped.
func hurlText(text string) string { return hurlEscaped(text, " !$%&'()*+,-./:;<=>?@[]^_|~") }

// hurlKey is the name of a header.
func hurlKey(text string) string { return hurlEscaped(text, "-_.") }

func hurlEscaped(text, plain string) string {
	var b strings.Builder
	for _, r := range text {
		if '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || strings.ContainsRune(plain, r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}

// jsonPath is a JSON pointer as JSONPath. A token of digits is the number of an item.
func jsonPath(at string) string {
	path := "$"
	for at != "" {
		var token string
		token, at, _ = strings.Cut(strings.TrimPrefix(at, "/"), "/")
		if at != "" {
			at = "/" + at
		}
		path += member(pointer.Unescape(token))
	}
	return path
}

var (
	plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	index     = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
)

// member is the way to a member of an object, or an item of an array.
func member(token string) string {
	switch {
	case plainName.MatchString(token):
		return "." + token
	case index.MatchString(token):
		return "[" + token + "]"
	}
	return "['" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(token) + "']"
}

// asserts are what a check wants: of objects and arrays what is in them.
func asserts(path string, k model.Check) []string {
	if len(k.Equals) == 0 {
		return []string{assert(path, "exists")}
	}
	d := json.NewDecoder(strings.NewReader(string(k.Equals)))
	d.UseNumber()
	var want any
	if d.Decode(&want) != nil {
		return nil // the suite was checked
	}
	return within(path, want)
}

// assert is one of a place.
func assert(path, what string) string { return `jsonpath "` + hurlText(path) + `" ` + what }

func within(path string, want any) []string {
	switch want := want.(type) {
	case map[string]any:
		all := []string{assert(path, "isObject")}
		for _, name := range sorted(want) {
			all = append(all, within(path+"['"+strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(name)+"']", want[name])...)
		}
		return all
	case []any:
		all := []string{assert(path, fmt.Sprintf("count == %d", len(want)))}
		for i, item := range want {
			all = append(all, within(fmt.Sprintf("%s[%d]", path, i), item)...)
		}
		return all
	case string:
		return []string{assert(path, `== "`+hurlText(want)+`"`)}
	case json.Number:
		return []string{assert(path, "== "+decimal(want.String()))}
	}
	return []string{assert(path, fmt.Sprintf("== %s", map[any]string{true: "true", false: "false", nil: "null"}[want]))}
}

// decimal is a number without an exponent.
func decimal(number string) string {
	if !strings.ContainsAny(number, "eE") {
		return number
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return number
	}
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(60), "0")
}
