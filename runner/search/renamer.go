package search

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/search/oracle"
)

// renamer replaces the values of a test that may identify something in the service by fresh values: path
// parameters, texts, and numbers whose names look like ids. Equal values stay equal. A fresh value has the
// same form as the value that it replaces. Rows of the test get the same fresh values.
type renamer struct {
	spec         *model.Spec
	naming       naming
	chance       *rand.Rand
	only         []string // the values to replace, nil for all
	replacements map[string]string
	replaced     int // number of replaced values
	// preferFresh is true if a path parameter or a number was replaced. Then the fresh value is used even if the test
	// also works with the old value. A service that counts its ids does not generate the fresh value by itself.
	preferFresh bool
}

func newRenamer(spec *model.Spec, n naming, chance *rand.Rand, only []string) *renamer {
	return &renamer{spec: spec, naming: n, chance: chance, only: only, replacements: map[string]string{}}
}

// rename returns a test with fresh values. It returns false if the renamer has replaced nothing.
func (r *renamer) rename(t model.Test) (model.Test, bool) {
	t.Calls = slices.Clone(t.Calls)
	for i := range t.Calls {
		c := &t.Calls[i]
		op := r.spec.Operation(c.Op)
		if op == nil {
			continue
		}
		linked := func(in model.Location, name string) bool {
			return slices.ContainsFunc(t.Links, func(l model.Link) bool { return l.To == i && l.In == in && l.Name == name })
		}
		c.Args = r.args(op, c.Args, linked)
		c.Body = r.body(op, c.Body, linked)
	}
	t.Rows = r.rows(t.Rows)
	return t, r.replaced > 0
}

// rows returns rows in which the values that were replaced in calls are replaced, too.
func (r *renamer) rows(rows []model.Row) []model.Row {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Cells = slices.Clone(rows[i].Cells)
		for k, c := range rows[i].Cells {
			var text string
			isText := json.Unmarshal(c.Value, &text) == nil && text != ""
			if !isText {
				text = string(c.Value)
			}
			own, known := r.replacements[text]
			if quoted, err := json.Marshal(own); known && isText && err == nil {
				rows[i].Cells[k].Value = quoted
			} else if known && isWholeNumber(own) {
				rows[i].Cells[k].Value = json.RawMessage(own)
			}
		}
	}
	return rows
}

// lacks reports whether at least one of the given values is not a fresh value of this renamer.
func (r *renamer) lacks(values []string) bool {
	own := slices.Collect(maps.Values(r.replacements))
	return slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(own, v) })
}

func (r *renamer) args(op *model.Operation, args []model.Arg, linked func(model.Location, string) bool) []model.Arg {
	args = slices.Clone(args)
	for i, a := range args {
		if a.In != model.InPath && a.In != model.InQuery || a.Escaped && a.Prefix() == "" || linked(a.In, a.Name) {
			continue
		}
		at := slices.IndexFunc(op.Params, func(p model.Parameter) bool { return p.In == a.In && p.Name == a.Name })
		if at < 0 {
			continue
		}
		if isWholeNumber(a.PlainValue()) && a.In != model.InPath && !r.naming.identifies(op.ID, a.In, a.Name) {
			continue
		}
		if own, ok := r.freshValue(a.PlainValue(), op.Params[at].Schema); ok {
			r.preferFresh = r.preferFresh || a.In == model.InPath
			args[i] = a.WithValue(own)
		}
	}
	return args
}

func (r *renamer) body(op *model.Operation, b *model.Payload, linked func(model.Location, string) bool) *model.Payload {
	if b == nil || op.Body == nil {
		return b
	}
	isJSON := func(media string) bool { return strings.Contains(media, "json") }
	at := slices.IndexFunc(op.Body.Contents, func(c model.Content) bool { return c.Media == b.Media && isJSON(c.Media) })
	if at < 0 { // a body of another media type may be JSON, too: the test may check whether the service refuses it
		at = slices.IndexFunc(op.Body.Contents, func(c model.Content) bool { return isJSON(c.Media) })
	}
	d := json.NewDecoder(bytes.NewReader([]byte(b.Data)))
	d.UseNumber()
	var v any
	if at < 0 || d.Decode(&v) != nil {
		return b
	}
	before := r.replaced
	v = r.value(op.ID, v, "", op.Body.Contents[at].Schema, linked)
	data, err := json.Marshal(v)
	if err != nil || r.replaced == before {
		return b
	}
	return &model.Payload{Media: b.Media, Data: string(data)}
}

// value replaces the values in a JSON value of a body. place is the pointer of the value, and s its schema or nil.
func (r *renamer) value(op model.OpID, v any, place string, s *model.Schema, linked func(model.Location, string) bool) any {
	if linked(model.InBody, place) && place != "" {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = r.value(op, v[key], place+"/"+pointer.Escape(key), propertyOf(s, key), linked)
		}
	case []any:
		for i := range v {
			v[i] = r.value(op, v[i], place+"/"+strconv.Itoa(i), itemsOf(s), linked)
		}
	case string:
		if own, ok := r.freshValue(v, s); ok {
			return own
		}
	case json.Number:
		if !r.naming.identifies(op, model.InBody, place) {
			return v
		}
		if own, ok := r.freshValue(v.String(), s); ok {
			return json.Number(own)
		}
	}
	return v
}

// fixedText matches texts that identify nothing or that cannot be replaced by other texts, such as references to secrets.
var fixedText = regexp.MustCompile(`(?i)^(\$\{\w+\}|true|false|null|-?\d+\.\d+|-\d+|https?://.*|\d{4}-\d\d-\d\d.*|\d\d:\d\d.*)$`)

// isZero reports whether a value is the number 0, which identifies nothing. The text "0" may be a name.
func isZero(text string, s *model.Schema) bool {
	return strings.Trim(text, "0") == "" && (s == nil || s.Type != "string")
}

// maxNameLength bounds the length in bytes of texts that may identify something.
const maxNameLength = 200

// isWholeNumber reports whether a text is a whole number from 0 to math.MaxInt64, without a sign.
func isWholeNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 63)
	return err == nil
}

// freshValue returns the value that replaces text. It returns false if text is kept. If text ends with a probe of a
// security test, the fresh value ends with the same probe.
func (r *renamer) freshValue(text string, s *model.Schema) (string, bool) {
	if base, probe, ok := oracle.SplitProbe(text); ok {
		own, replaced := r.freshValue(base, nil)
		if !replaced {
			return text, false
		}
		return own + probe, true
	}
	if own, known := r.replacements[text]; known {
		r.replaced++
		return own, true
	}
	if text == "" || len(text) > maxNameLength || fixedText.MatchString(text) || isZero(text, s) || !utf8.ValidString(text) ||
		r.only != nil && !slices.Contains(r.only, text) || s != nil && (len(s.Enum) > 0 || s.Const != nil) {
		return "", false
	}
	own, ok := r.draw(text, s)
	if ok {
		r.replacements[text] = own
		r.replaced++
	}
	return own, ok
}

// maxDraws bounds the attempts to draw a text that the schema allows.
const maxDraws = 8

func (r *renamer) draw(text string, s *model.Schema) (string, bool) {
	if n, err := strconv.ParseUint(text, 10, 63); err == nil {
		own, ok := r.drawNumber(n, s)
		r.preferFresh = r.preferFresh || ok
		return own, ok
	}
	for range maxDraws {
		same, longer := r.drawText(text)
		for _, own := range []string{longer, same} {
			if own != text && allowsText(own, s) && allowsText(text, s) {
				return own, true
			}
		}
	}
	return "", false
}

// The range of fresh numbers. A lower maximum of the schema takes precedence. A service that generates numbers by
// counting does not reach this range.
const (
	minOwnNumber = 1_000_000_000
	maxOwnNumber = math.MaxInt32
)

func (r *renamer) drawNumber(n uint64, s *model.Schema) (string, bool) {
	low, high := int64(minOwnNumber), int64(maxOwnNumber)
	if s != nil && s.Max != nil && *s.Max < maxOwnNumber {
		high = int64(*s.Max)
		low = high / 2
	}
	if high-low < 1000 {
		return "", false
	}
	own := strconv.FormatInt(low+r.chance.Int64N(high-low), 10)
	return own, own != strconv.FormatUint(n, 10)
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	// minChanged is how many characters of a text must change to make it unique.
	minChanged = 8
)

var hexText = regexp.MustCompile(`^[0-9a-fA-F-]{16,}$`)

// drawText returns two random texts. same has the same kinds of characters at the same positions as text, and keeps
// the host of an e-mail address. longer has additional characters if fewer than minChanged characters changed and the
// text is not hexadecimal; otherwise it is equal to same.
func (r *renamer) drawText(text string) (same, longer string) {
	text, host, isAddress := strings.Cut(text, "@")
	if isAddress {
		host = "@" + host
	}
	letters := lower
	if hexText.MatchString(text) {
		letters = lower[:6]
	}
	var b strings.Builder
	changed := 0
	draw := func(from string) byte {
		changed++
		return from[r.chance.IntN(len(from))]
	}
	for _, c := range text {
		switch {
		case c >= 'a' && c <= 'z':
			b.WriteByte(draw(letters))
		case c >= 'A' && c <= 'Z':
			b.WriteByte(draw(strings.ToUpper(letters)))
		case c >= '0' && c <= '9':
			b.WriteByte(draw(digits))
		default:
			b.WriteRune(c)
		}
	}
	same = b.String() + host
	for changed < minChanged && letters == lower {
		b.WriteByte(draw(lower))
	}
	return same, b.String() + host
}

// allowsText reports whether a schema allows a text according to its type, length and pattern. s may be nil.
func allowsText(text string, s *model.Schema) bool {
	if s == nil {
		return true
	}
	n := utf8.RuneCountInString(text)
	if n < s.MinLength || s.MaxLength != nil && n > *s.MaxLength || s.Type != "" && s.Type != "string" {
		return false
	}
	if s.Pattern == "" {
		return true
	}
	pattern, err := regexp.Compile(s.Pattern)
	return err == nil && pattern.MatchString(text)
}

// propertyOf returns the schema of a property, nil if it is not known.
func propertyOf(s *model.Schema, name string) *model.Schema {
	if s == nil {
		return nil
	}
	if p := s.Property(name); p != nil {
		return p.Schema
	}
	for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
		if part == nil {
			continue
		}
		if p := part.Property(name); p != nil {
			return p.Schema
		}
	}
	return s.Additional
}

func itemsOf(s *model.Schema) *model.Schema {
	if s == nil {
		return nil
	}
	return s.Items
}
