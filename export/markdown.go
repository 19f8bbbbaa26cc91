package export

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sonde/model"
)

// maxMarkdown is the maximum size of a summary in bytes, as GitHub demands. The last line may use closingBytes of it,
// and the table of faults ends at half of it.
const (
	maxMarkdown  = 1 << 20
	closingBytes = 500
)

// WriteMarkdown writes a run as a Markdown summary, as for $GITHUB_STEP_SUMMARY. It has at most 1 MiB: faults that do
// not fit are left out, which the last line says.
//
// Texts of the service and of the specification are in code, and cannot contain Markdown or HTML.
func WriteMarkdown(w io.Writer, r Report) error {
	var b strings.Builder
	writeMarkdownHead(&b, r)
	faults := r.failures()
	rows := writeFaultTable(&b, faults)
	details := 0
	for _, f := range faults {
		text := markdownDetails(f, r)
		if b.Len()+len(text) <= maxMarkdown-closingBytes {
			b.WriteString(text)
			details++
		}
	}
	b.WriteString(leftOut(len(faults)-rows, len(faults)-details))
	_, err := io.WriteString(w, b.String())
	return err
}

func writeMarkdownHead(b *strings.Builder, r Report) {
	fmt.Fprintf(b, "# Sonde: %s\n\n", MarkdownCode(cmp.Or(r.Title, "a run"), 200))
	for _, text := range r.Trouble {
		fmt.Fprintf(b, "**This run is no success:** %s\n\n", MarkdownCode(text, 500))
	}
	for _, text := range r.Remarks {
		fmt.Fprintf(b, "- %s\n", MarkdownCode(text, 500))
	}
	if len(r.Remarks) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("| | |\n|---|---:|\n")
	for _, row := range markdownFigures(r) {
		fmt.Fprintf(b, "| %s | %s |\n", row[0], row[1])
	}
	b.WriteByte('\n')
	if command := strings.TrimSpace(r.Command); command != "" {
		fmt.Fprintf(b, "Repeat the run:\n\n%s\n", fenced("sh", shownText(command)))
	}
}

// markdownFigures returns the names and values of a run's figures.
func markdownFigures(r Report) [][2]string {
	s := r.Summary
	rows := [][2]string{{"calls", strconv.Itoa(s.Calls)}}
	if s.Targets > 0 {
		rows = append(rows, [2]string{"targets covered", fmt.Sprintf("%d of %d", s.Covered, s.Targets)})
	}
	for class, n := range s.Classes() {
		if n > 0 {
			rows = append(rows, [2]string{"operations " + model.OpClass(class).String(), strconv.Itoa(n)})
		}
	}
	if len(r.Known) > 0 {
		rows = append(rows, [2]string{"known faults, which do not count", strconv.Itoa(len(r.Known))})
	}
	unknown := slices.DeleteFunc(slices.Clone(r.Faults), func(f model.Fault) bool { _, known := r.Known[f.ID]; return known })
	tally := model.TallyFaults(unknown)
	flaky := "flaky faults, which do not count"
	if r.FlakyFails {
		flaky = "flaky faults, which count, too"
	}
	return append(
		rows,
		[2]string{"tests", strconv.Itoa(len(r.Tests))},
		[2]string{"faults: errors", strconv.Itoa(tally.Errors)},
		[2]string{"faults: warnings", strconv.Itoa(tally.Warnings)},
		[2]string{flaky, strconv.Itoa(tally.Flaky)},
		[2]string{"notes, which do not count", strconv.Itoa(tally.Notes)},
	)
}

// writeFaultTable writes a table of faults, and returns the number of its faults. The table ends at half of maxMarkdown.
func writeFaultTable(b *strings.Builder, faults []model.Fault) (rows int) {
	if len(faults) == 0 {
		b.WriteString("No fault counts.\n")
		return 0
	}
	b.WriteString("| severity | operation | oracle | status | seen |\n|---|---|---|---:|---:|\n")
	for _, f := range faults {
		status := "none"
		if f.Status > 0 {
			status = strconv.Itoa(f.Status)
		}
		row := fmt.Sprintf(
			"| %s | %s | %s | %s | %d× |\n",
			MarkdownCode(string(f.Severity), 20), MarkdownCode(string(f.Op), 200), MarkdownCode(f.Oracle, 100), status, f.Count,
		)
		if b.Len()+len(row) > maxMarkdown/2 {
			break
		}
		b.WriteString(row)
		rows++
	}
	b.WriteByte('\n')
	return rows
}

// markdownDetails returns a section about a fault that the reader can unfold.
func markdownDetails(f model.Fault, r Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s %s</summary>\n\n", MarkdownCode(string(f.Op), 200), MarkdownCode(f.Oracle, 100))
	for _, row := range [][2]string{
		{"expected", f.Expected}, {"got", gotText(f)}, {"input", f.Input.String()}, {"verdict", verdict(f)},
	} {
		if row[1] != "" {
			fmt.Fprintf(&b, "- %s: %s\n", row[0], MarkdownCode(row[1], 500))
		}
	}
	if c, seen, ok := faultyCall(f); ok {
		if n := len(f.Test.Calls) - 1; n > 0 {
			fmt.Fprintf(&b, "- calls before the faulty one: %d\n", n)
		}
		fmt.Fprintf(&b, "\nRequest:\n\n%s", fenced("text", requestText(f, c, seen)))
		if answer := answerText(seen); answer != "" {
			fmt.Fprintf(&b, "\nAnswer:\n\n%s", fenced("text", answer))
		}
	}
	if r.Reproduce != nil {
		if curl := r.Reproduce(f); curl != "" {
			fmt.Fprintf(&b, "\nBy curl:\n\n%s", fenced("sh", curl))
		}
	}
	b.WriteString("\n</details>\n\n")
	return b.String()
}

// requestText returns the request of a fault's last call: its line, its inputs and its body.
func requestText(f model.Fault, c model.Call, seen model.ExchangeExcerpt) string {
	var b strings.Builder
	fmt.Fprintln(&b, printableLine(requestTarget(c, seen)))
	if c.User != "" {
		fmt.Fprintf(&b, "user: %s\n", printableLine(c.User))
	}
	for _, a := range c.Args {
		value := cmp.Or(linkedFrom(*f.Test, len(f.Test.Calls)-1, a.In, a.Name), shownValue(a.Value))
		fmt.Fprintf(&b, "%s %s: %s\n", a.In, printableLine(a.Name), printableLine(value))
	}
	if c.Body != nil {
		fmt.Fprintf(&b, "\n%s\n%s\n", printableLine(c.Body.Media), shownText(c.Body.Describe()))
	}
	return b.String()
}

// answerText returns an answer with its headers and its body, or the reason why there is none. It returns "" if
// neither is known.
func answerText(s model.ExchangeExcerpt) string {
	if s.Status == 0 {
		return s.Err
	}
	var b strings.Builder
	fmt.Fprintln(&b, s.Status)
	for _, name := range slices.Sorted(maps.Keys(s.Header)) {
		fmt.Fprintf(&b, "%s: %s\n", printableLine(name), printableLine(strings.Join(s.Header[name], ", ")))
	}
	if strings.TrimSpace(s.Body) != "" {
		fmt.Fprintf(&b, "\n%s\n", shownText(s.Body))
		if s.Cut {
			b.WriteString("…\n")
		}
	}
	return b.String()
}

// shownText returns the beginning of a text, with its lines.
func shownText(text string) string {
	text = strings.TrimSpace(text)
	if more := len(text) - maxShown; more > 0 {
		text = fmt.Sprintf("%s… and %d bytes more", strings.ToValidUTF8(text[:maxShown], ""), more)
	}
	return text
}

// fenced returns a text as a fenced code block. No line of the text can close the block.
func fenced(language, text string) string {
	text = strings.TrimRight(printableLines(strings.ToValidUTF8(text, "\ufffd")), "\n")
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fmt.Sprintf("%s%s\n%s\n%s\n", fence, language, text, fence)
}

// longestRun returns the length of the longest run of a character.
func longestRun(text string, char rune) (longest int) {
	run := 0
	for _, r := range text {
		run++
		if r != char {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// MarkdownCode returns the beginning of a text as code, for a line or a cell of a table. All characters that have a
// meaning in Markdown or HTML are character references.
func MarkdownCode(text string, width int) string {
	text = strings.TrimSpace(printableLine(strings.ToValidUTF8(text, "\ufffd")))
	if runes := []rune(text); len(runes) > width {
		text = string(runes[:width-1]) + "…"
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '@':
			b.WriteString("&#64;<!-- -->") // the comment prevents a link to a mail address
		case r > unicode.MaxASCII || r == ' ' || isPlain(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return "<code>" + b.String() + "</code>"
}

// isPlain reports whether an ASCII character has no meaning in Markdown and HTML within a line.
func isPlain(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/,-{}", r)
}

// leftOut returns a line that says how many faults are not in the table, and how many have no details.
func leftOut(rows, details int) string {
	if details == 0 {
		return ""
	}
	return fmt.Sprintf("Left out, because a summary may have at most 1 MiB: the details of %d faults, and the rows of %d. "+
		"`sonde faults RUN` prints all.\n", details, rows)
}
