// Package editor finds the user's editor and how it opens a file at a line.
package editor

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"sonde/ui/app/command"
)

// Names of editors, grouped by the arguments that open a file at a line. Other editors open the file at its
// beginning.
var (
	plusLine = []string{
		"vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "kak", "micro", "ne", "joe", "mcedit",
		"gedit", "kate",
	}
	gotoLine  = []string{"code", "code-insiders", "codium", "cursor", "windsurf"}
	colonLine = []string{"subl", "hx", "helix", "zed"}
)

// Command returns the command that opens a file at a line; line 0 means no line. The editor is $VISUAL or
// $EDITOR, or an editor that most systems have.
func Command(file string, line int) (*exec.Cmd, error) {
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("%q is not a file on this machine and cannot be edited", command.WithoutCredentials(file))
	}
	file, err := filepath.Abs(file) // an absolute path never begins with a dash
	if err != nil {
		return nil, err
	}
	words := strings.Fields(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), fallback()))
	if len(words) == 0 {
		return nil, errors.New("EDITOR is blank: set it to the editor to use")
	}
	return exec.Command(words[0], append(words[1:], placeFor(words[0], file, line)...)...), nil
}

// fallback returns an editor that most systems have.
func fallback() string {
	if runtime.GOOS == "windows" {
		return "notepad"
	}
	return "vi"
}

// placeFor returns the arguments that open a file at a line in an editor.
func placeFor(editor, file string, line int) []string {
	name := strings.TrimSuffix(filepath.Base(editor), ".exe")
	at := file + ":" + strconv.Itoa(line)
	switch {
	case line < 1:
	case slices.Contains(plusLine, name):
		return []string{"+" + strconv.Itoa(line), file}
	case slices.Contains(gotoLine, name):
		return []string{"--goto", at}
	case slices.Contains(colonLine, name):
		return []string{at}
	}
	return []string{file}
}
