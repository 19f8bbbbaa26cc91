package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reader turns values into what they mean. The first error stays.
type reader struct {
	err   error
	named map[string]bool // names of secrets that were made up
}

// take reads one value into its place.
type take func(*value)

// fields are what an object may hold.
type fields map[string]take

func (r *reader) fail(v *value, format string, args ...any) { r.failAt(v.line, format, args...) }

func (r *reader) failAt(line int, format string, args ...any) {
	if r.err == nil {
		r.err = &lineError{line, fmt.Sprintf(format, args...)}
	}
}

// object reads an object's members. A key that is not known is an error.
func (r *reader) object(v *value, what string, known fields) {
	switch {
	case v == nil || v.kind == isNull:
		return
	case v.kind != isObject:
		r.fail(v, "%s takes the keys %s, not %s", what, list(known), v.what())
		return
	}
	for i, key := range v.keys {
		read := known[key]
		if read == nil {
			r.failAt(v.at[i], "unknown key %.60q in %s: %s", key, what, nearest(key, known))
			return
		}
		if v.kids[i].kind != isNull {
			read(v.kids[i])
		}
	}
}

// each reads every element of a list; one value stands for a list of one.
func (r *reader) each(v *value, read take) {
	if v.kind != isList {
		read(v)
		return
	}
	for _, kid := range v.kids {
		read(kid)
	}
}

func (r *reader) text(to *string) take {
	return func(v *value) {
		if v.kind != isText {
			r.fail(v, "a text belongs here, not %s", v.what())
			return
		}
		*to = v.text
	}
}

func (r *reader) texts(to *[]string) take {
	return func(v *value) {
		r.each(v, func(kid *value) {
			*to = append(*to, "")
			r.text(&(*to)[len(*to)-1])(kid)
		})
	}
}

// oneOf reads one of some words; it ignores case and gives the word as it
// stands in the list.
func (r *reader) oneOf(to *string, words ...string) take {
	return func(v *value) {
		i := slices.IndexFunc(words, func(w string) bool { return strings.EqualFold(w, v.text) })
		if v.kind != isText || i < 0 {
			r.fail(v, "one of %s belongs here, not %s", strings.Join(words, ", "), v.what())
			return
		}
		*to = words[i]
	}
}

func (r *reader) flag(to *bool) take {
	return func(v *value) {
		var word string
		r.oneOf(&word, "true", "false")(v)
		*to = word == "true"
	}
}

func (r *reader) count(to *int, most int) take {
	return func(v *value) {
		n, err := strconv.Atoi(strings.ReplaceAll(v.text, "_", ""))
		if v.kind != isText || err != nil || n < 0 || n > most {
			r.fail(v, "a whole number from 0 to %d belongs here, not %s", most, v.what())
			return
		}
		*to = n
	}
}

func (r *reader) share(to *float64) take {
	return func(v *value) {
		f, err := strconv.ParseFloat(v.text, 64)
		if v.kind != isText || err != nil || !(f >= 0 && f <= 1) {
			r.fail(v, "a number from 0 to 1 belongs here, not %s", v.what())
			return
		}
		*to = f
	}
}

// rate reads a number of requests a second.
func (r *reader) rate(to *float64) take {
	return func(v *value) {
		f, err := strconv.ParseFloat(v.text, 64)
		if v.kind != isText || err != nil || !(f >= 0 && f <= math.MaxInt32) {
			r.fail(v, "a number of requests a second belongs here, such as 10 or 0.5, not %s", v.what())
			return
		}
		*to = f
	}
}

// duration reads such as 30s or 5m; a number alone is seconds.
func (r *reader) duration(to *time.Duration) take {
	return func(v *value) {
		text := v.text
		if _, err := strconv.Atoi(text); err == nil {
			text += "s"
		}
		d, err := time.ParseDuration(text)
		if v.kind != isText || err != nil || d < 0 {
			r.fail(v, "a time such as 30s or 5m belongs here, not %s", v.what())
			return
		}
		*to = d
	}
}

// pairs reads an object of texts.
func (r *reader) pairs(to *map[string]string, what string) take {
	return func(v *value) {
		if v.kind != isObject {
			r.fail(v, "%s takes names with their values, not %s", what, v.what())
			return
		}
		*to = map[string]string{}
		for i, key := range v.keys {
			var text string
			if v.kids[i].kind != isNull {
				r.text(&text)(v.kids[i])
			}
			(*to)[key] = text
		}
	}
}
