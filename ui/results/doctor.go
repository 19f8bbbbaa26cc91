package results

import (
	"fmt"
	"io"
	"strings"

	"sonde/ui/app/doctor"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// statusGlyphs are the signs of the results of checks.
var statusGlyphs = map[doctor.Status]string{doctor.OK: theme.Ok, doctor.Limited: theme.Refused, doctor.Failed: theme.Failed}

// PrintDoctor writes the checks by section, with advice below each check that is not OK.
func PrintDoctor(w io.Writer, r doctor.Report) error {
	var b strings.Builder
	name, purpose := 0, 0
	for _, c := range r.Checks {
		name, purpose = max(name, len(c.Name)), max(purpose, len(c.Purpose))
	}
	section := doctor.Section("")
	for _, c := range r.Checks {
		if c.Section != section {
			section = c.Section
			fmt.Fprintf(&b, "%s\n", section)
		}
		fmt.Fprintf(&b, "  %s %-*s  %-*s  %s\n", statusGlyphs[c.Status], name, c.Name, purpose, c.Purpose, oneLine(c.Found))
		if c.Advice != "" {
			fmt.Fprintf(&b, "    %-*s  → %s\n", name, "", oneLine(c.Advice))
		}
	}
	b.WriteString("\n" + doctorSummary(r) + "\n")
	_, err := io.WriteString(w, theme.Draw(b.String()))
	return err
}

// oneLine returns a text as one line that is safe to print.
func oneLine(text string) string { return draw.Clean(strings.Join(strings.Fields(text), " ")) }

// doctorSummary returns the last line of the report.
func doctorSummary(r doctor.Report) string {
	switch {
	case r.Config == "":
		return "There is no sonde.yaml in this folder: sonde init SPEC drafts one."
	case r.Passed:
		return theme.Ok + " Nothing fails that " + r.Config + " needs."
	}
	var names []string
	for _, c := range r.Checks {
		if c.Needed && c.Status == doctor.Failed {
			names = append(names, c.Name)
		}
	}
	return fmt.Sprintf(
		"%s %s needs what fails: %s (%s).", theme.Failed, r.Config, strings.Join(names, ", "), words.Plural(len(names), "check"),
	)
}
