package widget

import (
	"io"
	"os"

	"github.com/atotto/clipboard"
	"github.com/aymanbagabas/go-osc52/v2"
)

// CopyToClipboard puts a text on the clipboard: by the system's own if there is one, or else
// by the terminal (OSC 52), which also works if Sonde runs on another machine.
func CopyToClipboard(text string) error {
	if !remote() && !clipboard.Unsupported && clipboard.WriteAll(text) == nil {
		return nil
	}
	return byTerminal(text, os.Stdout)
}

// byTerminal returns the escape sequence that makes the terminal copy a text, wrapped for a
// terminal multiplexer.
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

// remote reports whether the terminal is on another machine, by SSH.
func remote() bool { return os.Getenv("SSH_TTY") != "" || os.Getenv("SSH_CONNECTION") != "" }
