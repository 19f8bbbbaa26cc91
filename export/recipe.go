package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sonde/model"
)

// FaultDescription returns a complete description of a fault: the expected and the actual answer, the calls that show
// the fault with their requests and answers, and, if r.Reproduce is set, curl commands that repeat these calls.
func FaultDescription(f model.Fault, r Report) string {
	var b strings.Builder
	for _, row := range [][2]string{
		{"fault:    ", f.ID},
		{"severity: ", string(f.Severity)},
		{"oracle:   ", f.Oracle},
		{"input:    ", f.Input.String()},
		{"verdict:  ", verdict(f)},
		{"expected: ", f.Expected},
		{"got:      ", gotText(f)},
	} {
		if row[1] != "" {
			fmt.Fprintf(&b, "%s%s\n", row[0], printableLine(row[1]))
		}
	}
	base := strings.TrimRight(r.BaseURL, "/")
	if strings.Contains(base, model.PortPlaceholder) {
		base = "" // the port was only valid during the run
	}
	fmt.Fprintf(&b, "calls that show it:\n%s", recipe(f, base))
	if r.Reproduce == nil {
		return b.String()
	}
	if curl := r.Reproduce(f); curl != "" {
		b.WriteString("by curl:\n")
		for line := range strings.SplitSeq(curl, "\n") {
			fmt.Fprintf(&b, "  %s\n", printableLine(line))
		}
	}
	return b.String()
}

// recipe describes the calls of a fault, with their requests and answers.
func recipe(f model.Fault, base string) string {
	t := f.Test
	if t == nil {
		return "  not known\n"
	}
	var b strings.Builder
	for _, row := range t.Rows {
		fmt.Fprintf(&b, "  with the row %s\n", printableLine(row.String()))
	}
	for _, s := range t.Stubs {
		fmt.Fprintf(&b, "  where %s\n", printableLine(plainStub(s)))
	}
	for i, c := range t.Calls {
		if t.PausesBefore(i) {
			fmt.Fprintf(&b, "  wait %g s\n", t.Pause.Seconds())
		}
		writeCall(&b, *t, i, c)
		if i < len(f.Exchanges) {
			writeExchange(&b, c, f.Exchanges[i], base)
		}
	}
	return b.String()
}

// plainStub describes the answers of a stub in one line.
func plainStub(s model.Stub) string {
	to := ""
	if s.Inward {
		to = "a client that calls "
	}
	line := fmt.Sprintf("%s%s (%s) %s answers", to, s.Host, s.Protocol, strings.TrimSpace(s.Match.Method+" "+s.Match.Path))
	mark := " "
	for _, a := range s.Answers {
		line += mark + a.Label(s.Protocol)
		if content := a.Content(); len(content) > 0 {
			line += " " + shownValue(string(content))
		}
		mark = ", then "
	}
	switch {
	case s.Repeat:
		line += ", and again"
	case s.Else != nil:
		line += mark + s.Else.Label(s.Protocol)
	}
	return line
}

// writeCall writes a call with its inputs and the sources of their values.
func writeCall(b *strings.Builder, t model.Test, i int, c model.Call) {
	head := fmt.Sprintf("%d. %s", i+1, c.Op)
	if c.User != "" {
		head += " as " + c.User
	}
	if c.Status > 0 {
		head += fmt.Sprintf(" → %d", c.Status)
	}
	line := func(format string, args ...any) {
		fmt.Fprintf(b, "  %s\n", printableLine(fmt.Sprintf(format, args...)))
	}
	line("%s", head)
	for _, a := range c.Args {
		line("     %s %s = %s", a.In, a.Name, cmp.Or(linkedFrom(t, i, a.In, a.Name), shownValue(a.Value)))
	}
	if c.Body != nil {
		line("     %s %s", c.Body.Media, shownValue(c.Body.Describe()))
	}
	for _, l := range t.Links {
		if l.To == i && l.In == model.InBody {
			line("     body %s = %s", l.Name, LinkSource(l))
		}
	}
}

// writeExchange writes the request of a call and its answer.
func writeExchange(b *strings.Builder, c model.Call, s model.ExchangeExcerpt, base string) {
	method, _, _ := strings.Cut(string(c.Op), " ")
	fmt.Fprintf(b, "       request: %s\n", printableLine(method+" "+base+s.URL))
	answer := s.Err
	if s.Status > 0 {
		answer = strconv.Itoa(s.Status)
		for _, name := range slices.Sorted(maps.Keys(s.Header)) {
			answer += fmt.Sprintf("; %s: %s", name, strings.Join(s.Header[name], ", "))
		}
	}
	fmt.Fprintf(b, "       answer:  %s\n", printableLine(answer))
	if strings.TrimSpace(s.Body) != "" {
		rest := ""
		if s.Cut {
			rest = " …"
		}
		fmt.Fprintf(b, "                %s\n", printableLine(shownValue(strings.TrimSpace(s.Body))+rest))
	}
}

// linkedFrom describes the source of a linked argument. It returns "" for other arguments.
func linkedFrom(t model.Test, call int, in model.Location, name string) string {
	for _, l := range t.Links {
		if l.To == call && l.In == in && l.Name == name {
			return LinkSource(l)
		}
	}
	return ""
}

// LinkSource describes from where a link takes its value, such as "part of answer 2".
func LinkSource(l model.Link) string {
	switch {
	case l.Pattern != "" && l.Pointer == model.WholeBody:
		return fmt.Sprintf("part of answer %d", l.From+1)
	case l.Pattern != "":
		return fmt.Sprintf("part of %s in answer %d", cmp.Or(l.Header, l.Pointer), l.From+1)
	case l.Header != "":
		return fmt.Sprintf("end of %s in answer %d", l.Header, l.From+1)
	case l.Param != "":
		return fmt.Sprintf("%s of call %d", l.Param, l.From+1)
	case l.Pointer == model.WholeBody:
		return fmt.Sprintf("all of answer %d", l.From+1)
	}
	return fmt.Sprintf("%s in answer %d", l.Pointer, l.From+1)
}

// maxShown is the maximum length of a shown value, in bytes.
const maxShown = 2000

// shownValue returns a value on one line. It cuts off a long value.
func shownValue(value string) string {
	rest := ""
	if more := len(value) - maxShown; more > 0 {
		value, rest = strings.ToValidUTF8(value[:maxShown], ""), fmt.Sprintf("… and %d bytes more", more)
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		value = fmt.Sprintf("%q", value)
	}
	return value + rest
}

// printableLine replaces control and format characters with spaces. The result is one line that cannot
// affect how other text is displayed.
func printableLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return r
	}, text)
}

// printableLines replaces control and format characters with spaces, but keeps the ends of lines.
func printableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = printableLine(line)
	}
	return strings.Join(lines, "\n")
}
