package cli

import (
	"errors"
	"os"
	"strings"

	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/console"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	"github.com/spf13/cobra"
)

// appearance has the flags for the app's colours and characters.
type appearance struct {
	theme string
	ascii bool
}

func (l *appearance) add(c *cobra.Command) {
	c.Flags().StringVar(
		&l.theme, "theme", theme.Auto,
		"colours: "+strings.Join(theme.Names(), ", ")+"; auto follows the terminal's background",
	)
	_ = c.RegisterFlagCompletionFunc(
		"theme", cobra.FixedCompletions(theme.Names(), cobra.ShellCompDirectiveNoFileComp),
	) // the flag exists
	c.Flags().BoolVar(&l.ascii, "ascii", false, "draw with ASCII characters only")
}

// take applies the values of the flags to all later output. Where a flag is not set, it applies the preference. It
// returns the preferences with their problems.
func (l *appearance) take(c *cobra.Command) (screen.Preferences, error) {
	if err := theme.Check(l.theme); err != nil {
		return screen.Preferences{}, err
	}
	prefs, h := preferences()
	if !c.Flags().Changed("theme") {
		l.theme = prefs.Theme
	}
	if !c.Flags().Changed("ascii") {
		l.ascii = prefs.ASCII
	}
	theme.Use(l.theme)
	theme.UseASCII(l.ascii)
	return h, nil
}

// preferences reads the user's preferences. It returns them in the form of the file, and in the form for
// the screens, which includes the file's problems.
func preferences() (userdata.Preferences, screen.Preferences) {
	file, err := userdata.PreferencesFile()
	if err != nil {
		problem := screen.FileProblem{File: "preferences", Problem: model.Problem{Text: err.Error()}}
		return userdata.NewPreferences(), screen.Preferences{Problems: []screen.FileProblem{problem}}
	}
	p := userdata.ReadPreferences(file)
	h := screen.Preferences{Keys: p.Keys, File: file, Names: p.Names}
	for _, w := range p.Wrong {
		h.Problems = append(h.Problems, screen.FileProblem{File: file, Problem: model.Problem{Line: w.Line, Text: w.Text}})
	}
	return p, h
}

// fullScreen returns an error if the app cannot use the screen. The error names the alternative.
func fullScreen(out any) error {
	const instead = "use --plain for lines, or sonde check, groups, seqs, graph or search; sonde --help lists them"
	switch {
	case !console.IsTerminal(out):
		return errors.New("standard output is not a terminal: " + instead)
	case os.Getenv("TERM") == "dumb":
		return errors.New("TERM is dumb, so the cursor cannot be placed: " + instead)
	}
	return nil
}
