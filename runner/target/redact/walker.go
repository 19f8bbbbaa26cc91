package redact

// walker compares a text with a pattern whose characters may be escaped in the text.
type walker struct {
	text    string
	pattern *pattern
	steps   int // readings of escapes tried so far
	reached int // the greatest index in the pattern that was compared
}

// maxSteps is how many readings of escapes a walker tries. It bounds the time for hostile texts.
const maxSteps = 1024

// walk compares w.text[at:] with pattern[have:], the rest of the pattern. It reports whether the text begins with
// this rest. end is the index in text at which the match ends. walk also returns false after maxSteps.
func (w *walker) walk(have, at int) (end int, ok bool) {
	want := w.pattern.text
	for have < len(want) {
		w.reached = max(w.reached, have)
		if at >= len(w.text) {
			return 0, false
		}
		c := w.text[at]
		switch {
		case escapeStart[c] || c == '+' && want[have] == ' ':
			return w.branch(have, at)
		case c == want[have]:
			have, at = have+1, at+1
		case w.pattern.wrapped && have > 0 && (c == '\n' || c == '\r'):
			at++
		default:
			return 0, false
		}
	}
	return at, true
}

// branch tries each reading of the character at w.text[at], the most escaped one first, and compares the
// text after it with the rest of the pattern.
func (w *walker) branch(have, at int) (end int, ok bool) {
	var u units
	u.read(w.text, at)
	for i := u.n - 1; i >= 0; i-- {
		w.steps++
		if w.steps > maxSteps {
			return 0, false
		}
		x, next := &u.all[i], have
		switch {
		case x.begins(w.pattern.text[have:]):
			next += x.n
		case w.pattern.wrapped && have > 0 && x.n == 1 && (x.char[0] == '\n' || x.char[0] == '\r'):
		default:
			continue
		}
		end, ok = w.walk(next, x.end)
		if ok {
			return end, true
		}
	}
	return 0, false
}
