package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sonde/export"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// comparisonLines is a part of a comparison as lines of text.
type comparisonLines struct {
	Title string
	Lines []string
}

// comparisonParts returns the parts of a comparison after the figures. Parts without lines say so in one line.
func comparisonParts(c Comparison) []comparisonLines {
	parts := []comparisonLines{
		{Title: fmt.Sprintf("New faults: %d", len(c.NewFaults)), Lines: faultLines(c.NewFaults)},
		{Title: fmt.Sprintf("Faults that are gone, or were not found again: %d", len(c.GoneFaults)), Lines: faultLines(c.GoneFaults)},
		{Title: fmt.Sprintf("Faults in both runs: %d", len(c.RemainingFaults)), Lines: faultLines(c.RemainingFaults)},
		{Title: fmt.Sprintf("Operations with a 2xx only in the new run: %d", len(c.Gained)), Lines: opLines(c.Gained)},
		{Title: fmt.Sprintf("Operations with a 2xx only in the old run: %d", len(c.Lost)), Lines: opLines(c.Lost)},
		{Title: fmt.Sprintf("Operations with other statuses: %d", len(c.Targets)), Lines: targetLines(c.Targets)},
	}
	if c.Old.Files != nil && c.New.Files != nil {
		parts = append(
			parts, comparisonLines{Title: fmt.Sprintf("Files with another coverage: %d", len(c.Files)), Lines: fileLines(c.Files)},
		)
	}
	return parts
}

func faultLines(faults []model.Fault) (lines []string) {
	for _, f := range faults {
		line := fmt.Sprintf("%s %s %s: %s", f.Severity, f.Oracle, f.Op, f.Text)
		if f.Verdict == model.VerdictFlaky {
			line = "flaky " + line
		}
		lines = append(lines, draw.Clean(line))
	}
	return lines
}

func opLines(ops []model.OpID) (lines []string) {
	for _, op := range ops {
		lines = append(lines, draw.Clean(string(op)))
	}
	return lines
}

func targetLines(targets []TargetChange) (lines []string) {
	for _, t := range targets {
		var all []string
		for _, status := range t.Gained {
			all = append(all, "+"+strconv.Itoa(status))
		}
		for _, status := range t.Lost {
			all = append(all, "−"+strconv.Itoa(status))
		}
		lines = append(lines, fmt.Sprintf("%s: %s", draw.Clean(string(t.Op)), strings.Join(all, " ")))
	}
	return lines
}

func fileLines(files []FileChange) (lines []string) {
	for _, f := range files {
		lines = append(lines, strings.TrimSpace(
			fmt.Sprintf("%s: %s → %s of statements %s", draw.Clean(f.File), share(f.Old), share(f.New), changeInBrackets(f)),
		))
	}
	return lines
}

func changeInBrackets(f FileChange) string {
	if change := shareChange(f.Old, f.New); change != "" {
		return "(" + change + ")"
	}
	return ""
}

// comparisonTitle names both runs.
func comparisonTitle(c Comparison) string {
	return fmt.Sprintf("%s: %s compared with %s", titleOf(c.New), draw.Clean(c.New.Name), draw.Clean(c.Old.Name))
}

// WriteComparisonText writes a comparison as plain text.
func WriteComparisonText(w io.Writer, c Comparison) error {
	var b strings.Builder
	fmt.Fprintln(&b, comparisonTitle(c))
	for _, line := range append(c.Differences[:len(c.Differences):len(c.Differences)], c.Unknown...) {
		fmt.Fprintf(&b, "! %s\n", line)
	}
	b.WriteByte('\n')
	writeFigures(&b, c.Figures)
	for _, part := range comparisonParts(c) {
		fmt.Fprintf(&b, "\n%s\n", part.Title)
		for _, line := range part.Lines {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFigures writes the figures as a table.
func writeFigures(b *strings.Builder, figures []Figure) {
	var names, before, after int
	for _, f := range figures {
		names, before, after = max(names, len(f.Name)), max(before, len(f.Old)), max(after, len(f.New))
	}
	for _, f := range figures {
		line := fmt.Sprintf("  %-*s  %*s  %*s  %s", names, f.Name, before, f.Old, after, f.New, f.Change)
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
}

// maxComparisonMarkdown is the maximum size of a comparison in Markdown in bytes, which GitHub demands of the summary of
// a step. Headings after the first lines that do not fit may use closingBytes of it. maxMarkdownLine is the maximum
// number of characters of a line.
const (
	maxComparisonMarkdown = 1 << 20
	closingBytes          = 2000
	maxMarkdownLine       = 500
)

// WriteComparisonMarkdown writes a comparison as Markdown, as for $GITHUB_STEP_SUMMARY. Texts of the service are code,
// and cannot contain Markdown.
func WriteComparisonMarkdown(w io.Writer, c Comparison) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Sonde: %s\n\n", export.MarkdownCode(comparisonTitle(c), maxMarkdownLine))
	for _, line := range append(c.Differences[:len(c.Differences):len(c.Differences)], c.Unknown...) {
		fmt.Fprintf(&b, "- %s\n", export.MarkdownCode(line, maxMarkdownLine))
	}
	b.WriteString("\n| figure | old | new | change |\n|---|---:|---:|---:|\n")
	for _, f := range c.Figures {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Name, f.Old, f.New, f.Change)
	}
	missing := 0
	for _, part := range comparisonParts(c) {
		fmt.Fprintf(&b, "\n## %s\n\n", part.Title)
		for _, line := range part.Lines {
			line = "- " + export.MarkdownCode(line, maxMarkdownLine) + "\n"
			if b.Len()+len(line) > maxComparisonMarkdown-closingBytes {
				missing++
				continue
			}
			b.WriteString(line)
		}
	}
	if missing > 0 {
		fmt.Fprintf(&b, "\nLeft out, because a summary may have at most 1 MiB: %s.\n", words.Plural(missing, "line"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
