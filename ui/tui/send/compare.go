package send

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// difference is one value in which two answers differ. before is "" for a value that is new, and after is "" for a value
// that is gone.
type difference struct{ place, before, after string }

// maxDifferences is the maximum number of differences that are listed.
const maxDifferences = 500

// comparison is a comparison of two answers of one operation.
type comparison struct {
	before, after usecase.SentRequest
	all           []difference
}

// compare compares the answers of two requests: the statuses, the headers, and the bodies, if they are JSON by structure.
func compare(before, after usecase.SentRequest) *comparison {
	c := &comparison{before: before, after: after}
	a, b := before.Exchange.Reply, after.Exchange.Reply
	c.values("status", statusText(a.Status), statusText(b.Status))
	for _, name := range slices.Sorted(maps.Keys(joined(a.Header, b.Header))) {
		if !slices.Contains(commonHeaders, name) {
			c.values(name, strings.Join(a.Header[name], ", "), strings.Join(b.Header[name], ", "))
		}
	}
	c.bodies(a.Body, b.Body)
	return c
}

func joined(a, b map[string][]string) map[string][]string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string][]string{}
	}
	maps.Copy(all, b)
	return all
}

// values adds a difference if two texts differ.
func (c *comparison) values(place, before, after string) {
	if before != after && len(c.all) <= maxDifferences {
		c.all = append(c.all, difference{place: place, before: before, after: after})
	}
}

// bodies compares two bodies: as JSON, as lines of text, or as bytes.
func (c *comparison) bodies(before, after []byte) {
	a, isJSON := decoded(before)
	b, alsoJSON := decoded(after)
	switch {
	case bytes.Equal(before, after):
	case isJSON && alsoJSON:
		c.json("", a, b)
	case isText(before) && isText(after):
		c.lists("line ", lines(before), lines(after))
	default:
		c.values("body", words.Plural(len(before), "byte"), words.Plural(len(after), "byte")+", others")
	}
}

// decoded returns the value of a JSON text. It returns false for any other text.
func decoded(body []byte) (value any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	err := d.Decode(&value)
	return value, err == nil && !d.More()
}

func isText(body []byte) bool { return !bytes.ContainsRune(body, 0) }

// lines returns the lines of a text as values.
func lines(text []byte) (all []any) {
	if len(text) == 0 {
		return nil
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		all = append(all, line)
	}
	return all
}

// json compares two values of JSON at a place.
func (c *comparison) json(place string, before, after any) {
	switch a := before.(type) {
	case map[string]any:
		if b, ok := after.(map[string]any); ok {
			c.objects(place, a, b)
			return
		}
	case []any:
		if b, ok := after.([]any); ok {
			c.lists(place+"/", a, b)
			return
		}
	}
	c.values(rootName(place), compact(before), compact(after))
}

// rootName returns the name of a place, also of the whole body.
func rootName(place string) string {
	if place == "" {
		return "body"
	}
	return place
}

func (c *comparison) objects(place string, before, after map[string]any) {
	names := maps.Clone(before)
	maps.Copy(names, after)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, was := before[name]
		b, is := after[name]
		at := place + "/" + pointer.Escape(name)
		switch {
		case was && is:
			c.json(at, a, b)
		case was:
			c.values(at, compact(a), "")
		default:
			c.values(at, "", compact(b))
		}
	}
}

// lists compares two lists. Elements that are equal at the beginning and at the end belong together. Of the others, those
// with the same position do. prefix is the place of an element without its number.
func (c *comparison) lists(prefix string, before, after []any) {
	start := 0
	for start < min(len(before), len(after)) && reflect.DeepEqual(before[start], after[start]) {
		start++
	}
	end := 0
	for end < min(len(before), len(after))-start && reflect.DeepEqual(before[len(before)-1-end], after[len(after)-1-end]) {
		end++
	}
	a, b := before[start:len(before)-end], after[start:len(after)-end]
	for i := range max(len(a), len(b)) {
		place := prefix + strconv.Itoa(start+i)
		switch {
		case i >= len(a):
			c.values(place, "", compact(b[i]))
		case i >= len(b):
			c.values(place, compact(a[i]), "")
		default:
			c.json(place, a[i], b[i])
		}
	}
}

// compact returns a value as JSON on one line. It never returns "", which means that there is no value.
func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	return string(text)
}

// lines draws the comparison: what is compared, and one line for each difference.
func (c *comparison) lines(width int) []draw.Line {
	title := fmt.Sprintf("The answer of %s, compared with that of %s: %s", clock(c.after), clock(c.before), c.count())
	all := prose(width, title, c.caveat())
	all = append(all, nil)
	for _, d := range c.all[:min(len(c.all), maxDifferences)] {
		all = append(all, d.line())
	}
	return all
}

func (c *comparison) count() string {
	switch n := len(c.all); {
	case n == 0:
		return "no differences"
	case n > maxDifferences:
		return "more than " + words.Plural(maxDifferences, "difference")
	default:
		return words.Plural(n, "difference")
	}
}

// caveat says what the comparison cannot know, and whether the answers are from different addresses.
func (c *comparison) caveat() string {
	a, b := c.before, c.after
	text := ""
	if from, to := a.Exchange.Base, b.Exchange.Base; from != to && from != "" {
		text = "The earlier answer is from " + from + ", this one from " + to + ". "
	}
	switch {
	case a.Earlier != b.Earlier:
		text += "The earlier answer is from another session: its secrets and e-mail addresses are pseudonyms, and differ for that reason."
	case a.Exchange.Reply.Truncated || b.Exchange.Reply.Truncated:
		text += "Only the beginnings of the bodies are known."
	}
	return strings.TrimSuffix(text, " ")
}

// line draws a difference.
func (d difference) line() draw.Line {
	sign, style := theme.Corrected, theme.Warn
	switch {
	case d.before == "":
		sign, style = "+", theme.Good
	case d.after == "":
		sign, style = "-", theme.Bad
	}
	line := draw.Line{{Text: " " + sign + " " + draw.Clean(d.place) + "  ", Style: style}}
	if d.before != "" {
		line = append(line, draw.Span{Text: draw.Clean(d.before), Style: theme.Dim})
	}
	if d.before != "" && d.after != "" {
		line = append(line, draw.Span{Text: " → ", Style: theme.Dim})
	}
	return append(line, draw.Span{Text: draw.Clean(d.after), Style: theme.Value})
}

// compareWithEarlier compares the answer to a request with the newest answer of its operation before. It returns nil if there
// is none. sent has the newest request first.
func compareWithEarlier(sent []usecase.SentRequest, of usecase.SentRequest) *comparison {
	for _, r := range sent {
		switch {
		case r.Exchange.At.Equal(of.Exchange.At):
			of = r // bodies are bounded like those of the others
		case r.Exchange.Request.Op == of.Exchange.Request.Op && r.Op() == of.Op() && r.Exchange.At.Before(of.Exchange.At):
			return compare(r, of)
		}
	}
	return nil
}

// answerOf returns the request of the result on the screen, as a log has it.
func answerOf(op model.OpID, r *usecase.SendResult) usecase.SentRequest {
	return usecase.SentRequest{Calls: []model.Call{{Op: op}}, Exchange: r.Exchanges[len(r.Exchanges)-1]}
}
