// Package words formats numbers and wraps text in the same way for all screens and commands.
package words

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// Count formats a number with commas between thousands, such as 6,214.
func Count(n int) string {
	if n < 0 {
		return "-" + Count(-n)
	}
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Short formats a number that is not negative in at most six characters. Numbers up to 99,999 are exact;
// larger ones are rounded down to thousands or millions: 214k, 2.1M.
func Short(n int) string {
	switch {
	case n < 100_000:
		return Count(n)
	case n < 1_000_000:
		return Count(n/1000) + "k"
	case n < 10_000_000:
		return strconv.FormatFloat(math.Floor(float64(n)/100_000)/10, 'f', -1, 64) + "M"
	}
	return Count(n/1_000_000) + "M"
}

// Plural formats a number of things, such as "1 call" and "3 calls".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(n) + " " + thing + "s"
}

// Limited returns a count such as "2,000 seqs". If more is set, because a limit was reached, it returns "2,000 seqs,
// more exist".
func Limited(count string, more bool) string {
	if more {
		return count + ", more exist"
	}
	return count
}

// LimitedCell is like Limited, but shorter, for the cell of a table: "2,000", or "2,000+" if more is set.
func LimitedCell(n int, more bool) string { return LimitedText(Count(n), more) }

// LimitedText is like LimitedCell for a number that is formatted already: "5M", or "5M+" if more is set.
func LimitedText(n string, more bool) string {
	if more {
		return n + "+"
	}
	return n
}

// InCode formats a number of targets in a service's source.
func InCode(n int) string { return Plural(n, "target") + " in the source" }

// More formats a number of further things that is known to be between low and high: "0 to 2 more targets", "1 more
// target", "no more targets".
func More(low, high int, thing string) string {
	switch {
	case high == 0:
		return "no more " + thing + "s"
	case low == high:
		return Plural(low, "more "+thing)
	}
	return Count(low) + " to " + Plural(high, "more "+thing)
}

// Share formats a number between 0 and 1 with two decimals, such as 0.60.
func Share(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// Left formats a remaining time in minutes, such as "about 1h5m left". It returns "" for less than a
// minute.
func Left(d time.Duration) string {
	if d < time.Minute {
		return ""
	}
	return "about " + strings.TrimSuffix(d.Round(time.Minute).String(), "0s") + " left"
}

// Wrap breaks a text into lines of at most width cells. It breaks at spaces only, not at hyphens, so that commands
// stay readable. It splits only words that are longer than a line.
func Wrap(text string, width int) []string {
	width = max(1, width)
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && ansi.StringWidth(line)+1+ansi.StringWidth(word) > width {
			out, line = append(out, line), ""
		}
		if line != "" {
			line += " "
		}
		pieces := strings.Split(ansi.Hardwrap(line+word, width, true), "\n")
		out, line = append(out, pieces[:len(pieces)-1]...), pieces[len(pieces)-1]
	}
	return append(out, line)
}

// Literal formats a value that was decoded from JSON or YAML. It returns a string unchanged, and any other value as
// JSON.
func Literal(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
