package config

import (
	"encoding/base64"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
)

// decoder converts values of the file to Go values. It stores the first error. After an error, the results are not
// used.
type decoder struct {
	err error
}

// decodeFunc decodes a value and stores the result.
type decodeFunc func(*value)

// fields has the allowed keys of an object, each with the function that decodes its value.
type fields map[string]decodeFunc

func (d *decoder) fail(v *value, format string, args ...any) { d.failAt(v.line, format, args...) }

func (d *decoder) failAt(line int, format string, args ...any) {
	if d.err == nil {
		d.err = &lineError{line, fmt.Sprintf(format, args...)}
	}
}

// object decodes the members of an object. A null object, and a member that is null, count as missing. An unknown key
// is an error. what describes the object in errors.
func (d *decoder) object(v *value, what string, known fields) {
	switch {
	case v == nil || v.kind == isNull:
		return
	case v.kind != isObject:
		d.fail(v, "%s takes the keys %s, not %s", what, list(known), v.what())
		return
	}
	for i, key := range v.keys {
		decode := known[key]
		if decode == nil {
			d.failAt(v.at[i], "unknown key %.60q in %s: %s", key, what, nearest(key, known))
			return
		}
		if v.kids[i].kind != isNull {
			decode(v.kids[i])
		}
	}
}

// each decodes the elements of a list. A value that is not a list is decoded as a list of one element.
func (d *decoder) each(v *value, decode decodeFunc) {
	if v.kind != isList {
		decode(v)
		return
	}
	for _, kid := range v.kids {
		decode(kid)
	}
}

func (d *decoder) text(to *string) decodeFunc {
	return func(v *value) {
		if v.kind != isText {
			d.fail(v, "a text belongs here, not %s", v.what())
			return
		}
		*to = v.text
	}
}

func (d *decoder) texts(to *[]string) decodeFunc {
	return func(v *value) {
		d.each(v, func(kid *value) {
			*to = append(*to, "")
			d.text(&(*to)[len(*to)-1])(kid)
		})
	}
}

// oneOf decodes a word that must be one of words. It ignores case, and stores the word with the spelling in words.
func (d *decoder) oneOf(to *string, words ...string) decodeFunc {
	return func(v *value) {
		i := slices.IndexFunc(words, func(w string) bool { return strings.EqualFold(w, v.text) })
		if v.kind != isText || i < 0 {
			d.fail(v, "one of %s belongs here, not %s", strings.Join(words, ", "), v.what())
			return
		}
		*to = words[i]
	}
}

func (d *decoder) flag(to *bool) decodeFunc {
	return func(v *value) {
		var word string
		d.oneOf(&word, "true", "false")(v)
		*to = word == "true"
	}
}

func (d *decoder) count(to *int, most int) decodeFunc {
	return func(v *value) {
		n, err := strconv.Atoi(strings.ReplaceAll(v.text, "_", ""))
		if v.kind != isText || err != nil || n < 0 || n > most {
			d.fail(v, "a whole number from 0 to %d belongs here, not %s", most, v.what())
			return
		}
		*to = n
	}
}

func (d *decoder) share(to *float64) decodeFunc {
	return func(v *value) {
		f, err := strconv.ParseFloat(v.text, 64)
		if v.kind != isText || err != nil || !(f >= 0 && f <= 1) {
			d.fail(v, "a number from 0 to 1 belongs here, not %s", v.what())
			return
		}
		*to = f
	}
}

// rate decodes a number of requests per second.
func (d *decoder) rate(to *float64) decodeFunc {
	return func(v *value) {
		f, err := strconv.ParseFloat(v.text, 64)
		if v.kind != isText || err != nil || !(f >= 0 && f <= math.MaxInt32) {
			d.fail(v, "a number of requests a second belongs here, such as 10 or 0.5, not %s", v.what())
			return
		}
		*to = f
	}
}

// duration decodes a duration such as 30s or 5m. A whole number without a unit is in seconds.
func (d *decoder) duration(to *time.Duration) decodeFunc {
	return func(v *value) {
		text := v.text
		if _, err := strconv.Atoi(text); err == nil {
			text += "s"
		}
		length, err := time.ParseDuration(text)
		if v.kind != isText || err != nil || length < 0 {
			d.fail(v, "a time such as 30s or 5m belongs here, not %s", v.what())
			return
		}
		*to = length
	}
}

// pairs decodes an object whose values are texts. null counts as an empty text.
func (d *decoder) pairs(to *map[string]string, what string) decodeFunc {
	return func(v *value) {
		if v.kind != isObject {
			d.fail(v, "%s takes names with their values, not %s", what, v.what())
			return
		}
		*to = map[string]string{}
		for i, key := range v.keys {
			var text string
			if v.kids[i].kind != isNull {
				d.text(&text)(v.kids[i])
			}
			(*to)[key] = text
		}
	}
}

// base64 decodes bytes in base64.
func (d *decoder) base64(to *[]byte) decodeFunc {
	return func(v *value) {
		data, err := base64.StdEncoding.DecodeString(v.text)
		if v.kind != isText || err != nil {
			d.fail(v, "bytes in base64 belong here, not %s", v.what())
		}
		*to = data
	}
}

func (d *decoder) seed(to **uint64) decodeFunc {
	return func(v *value) {
		n, err := strconv.ParseUint(v.text, 10, 64)
		if v.kind != isText || err != nil {
			d.fail(v, "a whole number from 0 belongs here, not %s", v.what())
			return
		}
		*to = &n
	}
}

var secretive = regexp.MustCompile(`(?i)authorization|cookie|token|secret|passw|api-?key|credential`)

// public decodes an object whose values are texts that are stored with a run. If the key of a literal value suggests a
// secret, this is an error, because secrets must be written as "${NAME}".
func (d *decoder) public(to *map[string]string, what string) decodeFunc {
	return func(v *value) {
		d.pairs(to, what)(v)
		for i, key := range v.keys {
			text := (*to)[key]
			if text != "" && secretive.MatchString(key) && len(model.SecretNames(text)) == 0 {
				d.failAt(
					v.at[i],
					"%.60q looks like a secret, which would be written down with the run: "+
						"write \"${NAME}\" and set NAME in the environment",
					key,
				)
			}
		}
	}
}
