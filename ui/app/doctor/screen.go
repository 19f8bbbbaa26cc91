package doctor

import (
	"cmp"
	"context"
	"fmt"
	"strings"
)

// terminalChecks returns the checks of the terminal and the clipboard.
func (e Environment) terminalChecks() []examination {
	check := func(name, purpose string, examine func() finding) examination {
		return examination{
			section: Terminal, name: name, purpose: purpose,
			examine: func(context.Context) finding { return examine() },
		}
	}
	return []examination{
		check("terminal", "the app", e.screen),
		check("colours", "the app", e.colours),
		check("characters", "lines and signs", e.characters),
		check("clipboard", "copies from the app", e.clipboard),
	}
}

// screen checks that the app can be drawn.
func (e Environment) screen() finding {
	s := e.Screen
	size := fmt.Sprintf("%d×%d cells", s.Width, s.Height)
	switch term := e.value("TERM"); {
	case !s.IsTerminal:
		return limited("standard output is not a terminal", "run sonde in a terminal; commands and --plain need none")
	case term == "dumb":
		return limited("TERM is dumb", "set TERM to your terminal's name; commands and --plain need none")
	case s.Width == 0 || s.Height == 0:
		return limited("its size is unknown", "use a terminal that reports its size")
	case s.Width < s.MinWidth || s.Height < s.MinHeight:
		return limited(size, fmt.Sprintf("enlarge it to %d×%d cells or more", s.MinWidth, s.MinHeight))
	}
	return works(size)
}

func (e Environment) colours() finding {
	switch {
	case !e.Screen.IsTerminal:
		return limited("standard output is not a terminal", "run sonde doctor in a terminal to see its colours")
	case e.Screen.Colours != "":
		return works(e.Screen.Colours)
	case e.value("NO_COLOR") != "":
		return works("none, because NO_COLOR is set")
	}
	return limited("none", "set TERM, such as to xterm-256color, if the terminal has colours")
}

// characters checks that the terminal's characters are those of UTF-8.
func (e Environment) characters() finding {
	if e.System.OS == "windows" {
		return works("Unicode")
	}
	locale := cmp.Or(e.value("LC_ALL"), e.value("LC_CTYPE"), e.value("LANG"))
	name := strings.ToLower(strings.ReplaceAll(locale, "-", ""))
	if strings.Contains(name, "utf8") {
		return works("UTF-8")
	}
	found := "LC_ALL, LC_CTYPE and LANG are not set"
	if locale != "" {
		found = fmt.Sprintf("the locale %q is not UTF-8", locale)
	}
	return limited(found, "set LANG, such as to C.UTF-8, or draw with --ascii")
}

func (e Environment) clipboard() finding {
	switch {
	case e.Screen.HasClipboard:
		return works("that of the system")
	case e.value("SSH_TTY") != "" || e.value("SSH_CONNECTION") != "":
		return works("that of your terminal, by OSC 52, because it is on another machine")
	}
	advice := "the terminal copies, if it supports OSC 52"
	if e.System.OS == "linux" {
		advice += "; or install wl-clipboard, xclip or xsel"
	}
	return limited("the system has none", advice)
}

// value returns the value of an environment variable, "" if it is not set.
func (e Environment) value(name string) string {
	text, _ := e.Variable(name)
	return text
}
