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

// hurl prints a script for Hurl.
func hurl(s export.Script) []byte {
	w := &hurlWriter{
		writer:   newWriter(),
		public:   publicValues(s),
		insecure: s.Insecure,
		cookies:  slices.ContainsFunc(s.Cases, keepsCookies),
		all:      openingCase(s),
	}
	w.current = w.all
	base := s.BaseURL
	if base == "" {
		base = "http://127.0.0.1:8080"
	}
	where := "hurl --test" + options(s.TLS, "--cacert", "--cert", "--key") + " --variable base_url=" + shellQuote(base)
	for _, v := range s.Secrets {
		if v.Default == "" {
			where += " --secret " + v.Name + `="$` + v.Name + `"`
		}
	}
	w.region("# ", "head", func() {
		w.remarks("# ", headLines(s, "It needs "+hurlNeeds+".", where+" "+fileOf(s, "sonde.hurl", "sonde_faults.hurl"))...)
		for _, step := range openingSteps(s) {
			w.step(step)
		}
	})
	again := reopeningSteps(s)
	for i, c := range s.Cases {
		w.region("# ", c.Name, func() { w.test(s.Reset, c, again[i]) })
	}
	return []byte(w.String())
}

// test writes a case. If reset is not nil and the case is not skipped, the request reset comes first. The steps in
// the parameter again, which reopen sessions, come next, and then the steps of the case.
func (w *hurlWriter) test(reset *export.Request, c export.TestCase, again []export.TestStep) {
	w.remarks("# ", c.About...)
	w.fresh = w.cookies
	if reset != nil && c.Skip == "" {
		w.request(*reset, "")
		w.line("HTTP *\n[Asserts]\nstatus >= 200\nstatus < 300")
	}
	for _, step := range again {
		w.step(step)
	}
	w.current = c
	for _, step := range c.Steps {
		w.skips = c.Skip != ""
		w.step(step)
	}
	w.current = w.all
	w.skips = false
}

// hurlAlwaysOmits describes what Hurl files never contain.
const hurlAlwaysOmits = "Objects are compared member by member: further members are not noticed."

// hurlWriter prints a Hurl file.
type hurlWriter struct {
	writer
	public   map[string]string
	insecure bool
	// cookies is set if log-ins give cookies, which Hurl stores and sends by itself. fresh is set until the
	// first request of a test, which must clear the store.
	cookies, fresh bool
	skips          bool // the current case is skipped
	// current is the case that is being written, or all between cases. all has the steps of all cases.
	current, all export.TestCase
}

// request writes a request, with a comment above it.
func (w *hurlWriter) request(r export.Request, about string) {
	w.line("")
	if about != "" {
		w.line("# %s", about)
	}
	if w.fresh {
		w.line("# @cookie_storage_clear")
		w.fresh = false
	}
	target, secrets := secretQuery(r.Path)
	path := w.parts(target, hurlURL)
	base := "{{base_url}}"
	if r.GoesToOtherHost() {
		base = ""
	}
	w.line("%s %s%s", r.Method, base, path)
	var cookies []export.MessageField
	for _, h := range r.Headers {
		own, kept := ownCookies(h.Value)
		switch {
		case kept:
			cookies = own
		case r.Body == nil || r.Body.Form == nil || h.Name != "Content-Type":
			w.line("%s: %s", hurlKey(h.Name), w.parts(h.Value, hurlText))
		}
	}
	w.section("[Query]", secrets)
	w.section("[Cookies]", cookies)
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
	switch {
	case r.Body == nil:
	case r.Body.Form != nil:
		w.section("[Form]", r.Body.Form)
	default:
		w.line("%s", w.body(r.Body))
	}
}

// section writes a section of fields, if there are any.
func (w *hurlWriter) section(title string, fields []export.MessageField) {
	if len(fields) > 0 {
		w.line("%s", title)
	}
	for _, f := range fields {
		w.line("%s: %s", hurlKey(f.Name), w.parts(f.Value, hurlText))
	}
}

// secretQuery splits a path before the first query parameter whose value is a variable. secrets are this
// parameter and all later ones. They must be in a section, because Hurl does not escape variables in a URL.
func secretQuery(path []export.TextPart) (rest []export.TextPart, secrets []export.MessageField) {
	first := slices.IndexFunc(path, func(p export.TextPart) bool { return p.Variable != "" && p.Escaping == export.EscapeQuery })
	if first < 0 {
		return path, nil
	}
	for first > 0 && !queryName.MatchString(path[first].Text) {
		first--
	}
	if !queryName.MatchString(path[first].Text) {
		return path, nil
	}
	for _, p := range path[first:] {
		if name := queryName.FindStringSubmatch(p.Text); name != nil {
			secrets = append(secrets, export.MessageField{Name: unescaped(name[1])})
			continue
		}
		if isText(p) {
			p.Text = unescaped(p.Text)
		}
		last := &secrets[len(secrets)-1]
		last.Value = append(last.Value, p)
	}
	return path[:first], secrets
}

// queryName matches a literal text that is only the start of a query parameter, before its value: "?name=" or
// "&name=".
var queryName = regexp.MustCompile(`^[?&]([^=]*)=$`)

// ownCookies returns the cookies in a header that do not come from a log-in. Hurl itself sends those of a
// log-in. ok is false if the header has no cookie of a log-in.
func ownCookies(value []export.TextPart) (own []export.MessageField, ok bool) {
	var pairs [][]export.TextPart
	for i, p := range value {
		if i == 0 || p.Text == "; " {
			pairs = append(pairs, nil)
		}
		if n := len(pairs) - 1; p.Text != "; " {
			pairs[n] = append(pairs[n], p)
		}
	}
	for _, pair := range pairs {
		if pair[0].Capture != nil && pair[0].Capture.Kind == export.CaptureCookies {
			ok = true
			continue
		}
		name, rest, _ := strings.Cut(pair[0].Text, "=")
		own = append(own, export.MessageField{Name: name, Value: append([]export.TextPart{{Text: rest}}, pair[1:]...)})
	}
	return own, ok
}

// keepsCookies reports whether a log-in of a case gives cookies.
func keepsCookies(c export.TestCase) bool {
	return slices.ContainsFunc(c.Steps, func(s export.TestStep) bool {
		return slices.ContainsFunc(s.Captures, func(t *export.Capture) bool { return t.Kind == export.CaptureCookies })
	})
}

// hurlMethod matches the methods that a Hurl file can have.
var hurlMethod = regexp.MustCompile(`^[A-Z]+$`)

// whyNotInHurl returns the reason why Hurl cannot express a case, "" if it can.
func whyNotInHurl(c export.TestCase) string {
	var kept *export.Capture
	for _, s := range c.Steps {
		if !hurlMethod.MatchString(s.Method) {
			return "Hurl has no method " + s.Method + ", only letters"
		}
		var sent *export.Capture
		for _, p := range allParts(s.Request) {
			if p.Capture != nil && p.Capture.Kind == export.CaptureCookies {
				sent = p.Capture
			}
		}
		if sent != kept {
			return "Hurl sends the cookies of a log-in with the calls of others, too"
		}
		for _, t := range s.Captures {
			if t.Kind == export.CaptureCookies {
				kept = t
			}
		}
	}
	return ""
}

// options returns the Hurl options of a request with a path.
func (w *hurlWriter) options(path string) []string {
	var all []string
	if dotSegments.MatchString(path) {
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

// body returns a body: in base64 if it is not UTF-8, as JSON if it is an object that Hurl sends unchanged, else as a
// string on one line.
func (w *hurlWriter) body(b *export.RequestBody) string {
	text, ok := fixed(b.Parts)
	switch {
	case ok && !utf8.ValidString(text):
		return "base64," + base64.StdEncoding.EncodeToString([]byte(text)) + ";"
	case b.JSON && !slices.ContainsFunc(b.Parts, isNumber) &&
		!strings.ContainsAny(joined(b.Parts, "", unchanged, func(export.TextPart) string { return "" }), "\\") &&
		!strings.Contains(text, "{{") && strings.HasPrefix(b.Parts[0].Text, "{"):
		return w.parts(b.Parts, unchanged)
	}
	return "`" + w.parts(b.Parts, hurlText) + "`"
}

// isNumber reports whether a part becomes a JSON number or a JSON string only when the test runs, depending on its
// value. A JSON body of Hurl cannot express this, because a variable in the body either has quotes or not.
func isNumber(p export.TextPart) bool { return p.Capture != nil && p.Escaping == export.EscapeNumber }

func unchanged(text string) string { return text }

func (w *hurlWriter) step(s export.TestStep) {
	w.request(s.Request, remarkOn(s))
	if s.Status == 0 {
		w.line("HTTP *")
	} else {
		w.line("HTTP %d", s.Status)
	}
	for i, t := range captures(w.current, s) {
		if i == 0 {
			w.line("[Captures]")
		}
		w.line("%s", t)
	}
	var all []string
	for _, want := range s.Assertions {
		all = append(all, hurlAssertion(want, s.Broken))
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

// whyNoHurlAssertion returns the reason why Hurl cannot express an assertion, "" if it can.
func whyNoHurlAssertion(w export.Assertion) string {
	switch {
	case strings.Contains(w.Pointer, "*"):
		return "Hurl cannot ask for something of each item"
	case w.Kind == export.AssertListed:
		return "Hurl cannot compare a number with a text"
	case w.Kind == export.AssertType && len(w.Values) > 1 || w.Kind == export.AssertOneOf && len(w.Values) > 1:
		return "Hurl cannot ask for one of several"
	}
	return ""
}

// hurlTypes are the predicates for JSON types.
var hurlTypes = map[string]string{
	"string":  "isString",
	"number":  "isNumber",
	"integer": "isInteger",
	"boolean": "isBoolean",
	"object":  "isObject",
	"array":   "isList",
	"null":    "== null",
}

// hurlAssertion returns an assertion. If broken is set, it returns the negated assertion, except for an
// assertion on the status.
func hurlAssertion(w export.Assertion, broken bool) string {
	not := map[bool]string{true: "not "}[broken]
	pattern := func() string { return `matches "` + hurlText(w.Values[0]) + `"` }
	place := `jsonpath "` + hurlText(jsonPath(w.Pointer)) + `" ` + not
	switch w.Kind {
	case export.AssertStatus:
		return `status toString matches "` + hurlText(statusPattern(w.Values)) + `"`
	case export.AssertHeader:
		return `header "` + hurlText(w.Header) + `" ` + not + pattern()
	case export.AssertNoMatch:
		return "body " + map[bool]string{false: "not "}[broken] + pattern()
	case export.AssertAbsent:
		return `jsonpath "` + hurlText(jsonPath(w.Pointer)) + `" ` + map[bool]string{false: "not "}[broken] + "exists"
	case export.AssertType:
		return place + hurlTypes[w.Values[0]]
	case export.AssertOneOf:
		return place + "== " + hurlLiteral(w.Values[0])
	case export.AssertPattern:
		return place + pattern()
	case export.AssertUnchanged:
		return place + "== {{" + w.Capture.Join("_") + "}}"
	}
	return place + "exists"
}

// hurlLiteral returns a JSON value as a Hurl literal.
func hurlLiteral(text string) string {
	var s string
	if json.Unmarshal([]byte(text), &s) == nil {
		return `"` + hurlText(s) + `"`
	}
	return text
}

// statusPattern returns a regular expression that matches the statuses in wanted, which has numbers, or ranges such
// as "400-499".
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

// captures returns the captures of a step: one for each escaping with which later calls use a value.
func captures(c export.TestCase, s export.TestStep) []string {
	var all []string
	for _, t := range s.Captures {
		from, spelled := hurlCapture(t)
		raw, escaped, number := escapingsUsed(c, t)
		if raw {
			all = append(all, t.Join("_")+": "+from)
		}
		if escaped {
			all = append(all, t.Join("_")+"_escaped: "+spelled+` urlEncode replace "/" "%2F"`)
		}
		if number {
			all = append(all, t.Join("_")+"_number: "+spelled+hurlNumber)
		}
	}
	return all
}

// hurlCapture returns the query for a captured value, and the query for the value as a string.
func hurlCapture(t *export.Capture) (from, text string) {
	switch {
	case t.Pattern != "":
		from = hurlPart(t)
	case t.Kind == export.CaptureHeader:
		from = `header "` + hurlText(t.Header) + `"`
	case t.Kind == export.CaptureBody: // a JSON string or text
		from = `body regex "(?s)^\\s*\"?(.*?)\"?\\s*$"`
	case t.Header != "":
		from = `header "` + hurlText(t.Header) + `" regex "([^/?#]+)/*(?:[?#].*)?$" urlDecode`
	default:
		from = `jsonpath "` + hurlText(jsonPath(t.Pointer)) + `"`
		return from, from + " toString"
	}
	return from, from
}

// hurlPart returns the query for a value that a pattern finds.
func hurlPart(t *export.Capture) string {
	pattern := ` regex "` + hurlText(t.Pattern) + `"`
	switch {
	case t.Header != "":
		return `header "` + hurlText(t.Header) + `"` + pattern + " urlDecode"
	case t.Pointer != "":
		return `jsonpath "` + hurlText(jsonPath(t.Pointer)) + `"` + pattern + " urlDecode"
	}
	return "body" + pattern
}

// hurlNumber is a list of filters that turn a text into JSON: a number, true or false stays as it is, and
// other text becomes a string.
const hurlNumber = ` replaceRegex "([\u{5c}\u{5c}\u{22}])" "\u{5c}$1" replaceRegex "(?s)^(.*)$" "\u{22}$1\u{22}"` +
	` replaceRegex "^\u{22}(true|false|-?(0|[1-9][0-9]*)(\u{5c}.[0-9]+)?([eE][+-]?[0-9]+)?)\u{22}$" "$1"`

// escapingsUsed reports how steps use a captured value: as it is or in an assertion, escaped for a URL or a form, and
// as a JSON number.
func escapingsUsed(c export.TestCase, t *export.Capture) (raw, escaped, number bool) {
	for _, s := range c.Steps {
		for _, p := range allParts(s.Request) {
			if p.Capture != t || t.Kind == export.CaptureCookies {
				continue
			}
			switch p.Escaping {
			case export.EscapePath, export.EscapeQuery, export.EscapeForm:
				escaped = true
			case export.EscapeNumber:
				number = true
			default:
				raw = true
			}
		}
		raw = raw || slices.ContainsFunc(s.Assertions, func(w export.Assertion) bool { return w.Capture == t })
	}
	return raw, escaped, number
}

// parts returns parts as one text, with templates for captured values and variables.
func (w *hurlWriter) parts(parts []export.TextPart, literal func(string) string) string {
	return joined(parts, "", literal, func(p export.TextPart) string {
		text, isPublic := w.public[p.Variable]
		switch {
		case isPublic:
			return literal(text)
		case p.Variable != "" && p.Escaping == export.EscapeJSON:
			return `"{{` + p.Variable + `}}"`
		case p.Variable != "":
			return "{{" + p.Variable + "}}"
		case p.Escaping == export.EscapeJSON:
			return `"{{` + p.Capture.Join("_") + `}}"`
		case p.Escaping == export.EscapeNumber:
			return "{{" + p.Capture.Join("_") + "_number}}"
		case p.Escaping == export.EscapeNone:
			return "{{" + p.Capture.Join("_") + "}}"
		}
		return "{{" + p.Capture.Join("_") + "_escaped}}"
	})
}

// hurlURL escapes a part of a URL whose braces are already escaped.
func hurlURL(text string) string { return strings.ReplaceAll(text, "#", `\#`) }

// hurlText escapes all characters of a text that have a meaning in Hurl.
func hurlText(text string) string { return hurlEscaped(text, " !$%&'()*+,-./:;<=>?@[]^_|~") }

// hurlKey escapes the name of a header, a cookie or a field.
func hurlKey(text string) string { return hurlEscaped(text, "-_.") }

// hurlEscaped escapes all characters except ASCII letters, ASCII digits and those in plain.
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

// jsonPath returns a JSON pointer as a JSONPath. A token that is a number without leading zeros becomes the index of
// an item.
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

// member returns a step of a JSONPath: to a member of an object or an item of an array.
func member(token string) string {
	switch {
	case plainName.MatchString(token):
		return "." + token
	case index.MatchString(token):
		return "[" + token + "]"
	}
	return "['" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(token) + "']"
}

// asserts returns the assertions of a check. For an object or array, each value in it has its own
// assertion.
func asserts(path string, k model.Check) []string {
	if len(k.Equals) == 0 {
		return []string{assert(path, "exists")}
	}
	d := json.NewDecoder(strings.NewReader(string(k.Equals)))
	d.UseNumber()
	var want any
	if d.Decode(&want) != nil {
		return nil // cannot happen: Suite.check has checked the JSON
	}
	return valueAsserts(path, want)
}

// assert returns an assertion of Hurl on the value at a path. what is the predicate, such as "exists".
func assert(path, what string) string { return `jsonpath "` + hurlText(path) + `" ` + what }

// valueAsserts returns the assertions that the value at a path equals want. If want is an object or an array, each
// value in it has its own assertion.
func valueAsserts(path string, want any) []string {
	switch want := want.(type) {
	case map[string]any:
		all := []string{assert(path, "isObject")}
		for _, name := range sorted(want) {
			all = append(all, valueAsserts(path+"['"+strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(name)+"']", want[name])...)
		}
		return all
	case []any:
		all := []string{assert(path, fmt.Sprintf("count == %d", len(want)))}
		for i, item := range want {
			all = append(all, valueAsserts(fmt.Sprintf("%s[%d]", path, i), item)...)
		}
		return all
	case string:
		return []string{assert(path, `== "`+hurlText(want)+`"`)}
	case json.Number:
		return []string{assert(path, "== "+decimal(want.String()))}
	}
	return []string{assert(path, fmt.Sprintf("== %s", map[any]string{true: "true", false: "false", nil: "null"}[want]))}
}

// decimal returns a number without an exponent. A number that is too large for Hurl stays as it is, and one that is
// too close to 0 becomes 0.
func decimal(number string) string {
	if !strings.ContainsAny(number, "eE") {
		return number
	}
	near, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number
	}
	if near == 0 {
		return "0"
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return number
	}
	digits, _ := r.FloatPrec() // exact for a decimal fraction
	return r.FloatString(digits)
}
