package widget

import (
	"io"
	"os"

	"github.com/atotto/clipboard"
	"github.com/aymanbagabas/go-osc52/v2"
)

// CopyToClipboard copies a text to the system's clipboard. If the system has no clipboard, or if the terminal is on
// another machine, CopyToClipboard asks the terminal to copy the text (OSC 52).
func CopyToClipboard(text string) error {
	if UsesSystemClipboard() && clipboard.WriteAll(text) == nil {
		return nil
	}
	return byTerminal(text, os.Stdout)
}

// UsesSystemClipboard reports whether this system has a clipboard, and the terminal is not on another machine.
func UsesSystemClipboard() bool { return !remote() && !clipboard.Unsupported }

// byTerminal writes the escape sequence that makes the terminal copy a text, wrapped for tmux or
// screen if one of them is running.
func byTerminal(text string, terminal io.Writer) error {
	seq := osc52.New(text)
	switch {
	case os.Getenv("TMUX") != "":
		seq = seq.Tmux()
	case os.Getenv("STY") != "":
		seq = seq.Screen()
	}
	_, err := seq.WriteTo(terminal)
	return err
}

// remote reports whether the terminal is on another machine, connected by SSH.
func remote() bool { return os.Getenv("SSH_TTY") != "" || os.Getenv("SSH_CONNECTION") != "" }
