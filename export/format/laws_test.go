package format

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sonde/export"

	"pgregory.net/rapid"
)

// decimal does not change the value of a number.
func TestDecimalsKeepTheValue(t *testing.T) {
	number := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		text := number.Draw(t, "number")
		got := decimal(text)
		if strings.ContainsAny(got, "eE") || strings.HasSuffix(got, ".") {
			t.Fatalf("%s: got %s, want digits", text, got)
		}
		want, _ := new(big.Rat).SetString(text)
		if value, ok := new(big.Rat).SetString(got); !ok || value.Cmp(want) != 0 {
			t.Fatalf("%s: got %s, want the same value", text, got)
		}
	})
	for text, want := range map[string]string{"1e999999": "1e999999", "1e-999999": "0"} {
		if got := decimal(text); got != want {
			t.Errorf("%s: got %.20s, want %s", text, got, want)
		}
	}
}

// A pattern for statuses matches the wanted statuses and no others.
func TestStatusPatternMatchesTheWanted(t *testing.T) {
	status := rapid.IntRange(100, 599)
	rapid.Check(t, func(t *rapid.T) {
		var wanted []string
		in := map[int]bool{}
		for range rapid.IntRange(1, 3).Draw(t, "count") {
			low := status.Draw(t, "low")
			high := rapid.IntRange(low, 599).Draw(t, "high")
			if rapid.Bool().Draw(t, "whole classes") {
				low, high = low/100*100, high/100*100+99
			}
			wanted = append(wanted, strconv.Itoa(low)+"-"+strconv.Itoa(high))
			if low == high {
				wanted[len(wanted)-1] = strconv.Itoa(low)
			}
			for code := low; code <= high; code++ {
				in[code] = true
			}
		}
		pattern := regexp.MustCompile(statusPattern(wanted))
		for code := 100; code < 600; code++ {
			if got := pattern.MatchString(strconv.Itoa(code)); got != in[code] {
				t.Fatalf("%q: %s matches %d: %t, want %t", wanted, pattern, code, got, in[code])
			}
		}
	})
}

// The parts of an expression of several lines join to the original text.
func TestExpressionsAreTheText(t *testing.T) {
	w := javaProgram(export.Script{})
	line := rapid.StringMatching(`[a-z"\\+ ]{0,5}`)
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line, 1, 5).Draw(t, "lines")
		want := strings.Join(lines, "\n")
		cut := rapid.IntRange(0, len(want)).Draw(t, "cut")
		expression := w.expr(append(literal(want[:cut]), literal(want[cut:])...), "    ")
		got := ""
		for _, term := range strings.Split(expression, " +\n    ") {
			var text string
			if err := json.Unmarshal([]byte(term), &text); err != nil || strings.Contains(strings.TrimSuffix(text, "\n"), "\n") {
				t.Fatalf("%q: %q is no literal of one line, %v, in\n%s", want, term, err, expression)
			}
			got += text
		}
		if got != want {
			t.Fatalf("got %q, want %q by\n%s", got, want, expression)
		}
	})
}

// Go can read the octal escapes of printf, and gets the original bytes.
func TestBytesForPrintfAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		word := shBytes(want)
		inside := word[1 : len(word)-1]
		got, err := strconv.Unquote(`"` + strings.ReplaceAll(inside, `"`, `\"`) + `"`)
		if err != nil || got != want || strings.ContainsAny(inside, "'%") {
			t.Fatalf("%q: %s is read as %q, %v", want, word, got, err)
		}
	})
}

// Hurl reads every text back unchanged: no text contains a template, a comment or the end of a string.
func TestTextsOfHurlAreReadBack(t *testing.T) {
	escape := regexp.MustCompile(`\\u\{[0-9a-f]+\}`)
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		text := hurlText(want)
		got := escape.ReplaceAllStringFunc(text, func(found string) string {
			code, err := strconv.ParseInt(found[3:len(found)-1], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			return string(rune(code))
		})
		if got != want || strings.ContainsAny(escape.ReplaceAllString(text, ""), "\\\"`#{}\n") {
			t.Fatalf("%q: %s is read as %q", want, text, got)
		}
	})
}

// squeezed leaves no empty line at the ends and no two in a row. It keeps all other lines.
func TestSqueezedLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.SampledFrom([]string{"", "", "a", "b"})).Draw(t, "lines")
		got := squeezed(lines)
		empty := func(l string) bool { return l == "" }
		if n := len(got); n > 0 && (got[0] == "" || got[n-1] == "") || strings.Contains(strings.Join(got, "\n"), "\n\n\n") {
			t.Fatalf("%q: got %q, which has too many empty lines", lines, got)
		}
		text, was := slices.DeleteFunc(slices.Clone(got), empty), slices.DeleteFunc(slices.Clone(lines), empty)
		if !slices.Equal(text, was) {
			t.Fatalf("got the lines %q, want %q", text, was)
		}
	})
}

// A merged document has the new items and the user's items in their order. A second merge changes nothing.
func TestMergedItems(t *testing.T) {
	type item struct{ Name, From string }
	by := lists{"item": "Name"}
	document := func(names []string, from string) string {
		items := []item{}
		for _, name := range names {
			items = append(items, item{name, from})
		}
		return string(indented(map[string]any{"item": items}))
	}
	name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
	rapid.Check(t, func(t *rapid.T) {
		was, fresh := rapid.SliceOf(name).Draw(t, "was"), rapid.SliceOfDistinct(name, rapid.ID).Draw(t, "fresh")
		text, ok := by.merge(document(was, "user"), document(fresh, "sonde"))
		var got struct{ Item []item }
		if err := json.Unmarshal([]byte(text), &got); err != nil || !ok {
			t.Fatalf("%q and %q: got %q, %v", was, fresh, text, err)
		}
		var mine, theirs []string
		for _, i := range got.Item {
			if i.From == "user" {
				theirs = append(theirs, i.Name)
			} else {
				mine = append(mine, i.Name)
			}
		}
		others := slices.DeleteFunc(slices.Clone(was), func(n string) bool { return slices.Contains(fresh, n) })
		if !slices.Equal(theirs, others) {
			t.Fatalf("%q and %q: the user's items are %q, want %q", was, fresh, theirs, others)
		}
		if !slices.Equal(slices.Sorted(slices.Values(mine)), slices.Sorted(slices.Values(fresh))) {
			t.Fatalf("%q and %q: the new items are %q, want each of them once", was, fresh, mine)
		}
		if again, _ := by.merge(text, document(fresh, "sonde")); again != text {
			t.Fatalf("%q and %q: merged again it is\n%s\nwant\n%s", was, fresh, again, text)
		}
	})
}
