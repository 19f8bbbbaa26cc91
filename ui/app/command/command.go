// Package command writes command lines for a shell.
package command

import (
	"net/url"
	"runtime"
	"strings"

	"sonde/model"
)

// SearchCommand returns the sonde search command with arguments.
func SearchCommand(args []string) string {
	line := "sonde search"
	for _, word := range args {
		line += " " + Quote(word)
	}
	return line
}

// WithoutCredentials removes user and password from a spec's URL. It returns a path unchanged.
func WithoutCredentials(source string) string {
	u, err := url.Parse(source)
	if err != nil || u.User == nil {
		return source
	}
	u.User = nil
	return u.String()
}

// Quote returns a word, quoted for the shell if necessary.
func Quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Shell returns the command that runs a text in a shell.
func Shell(text string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/C", text}
	}
	return []string{"sh", "-c", text}
}

// MaxShownBytes is the length of the longest command that is shown in full.
const MaxShownBytes = 2000

// PrintableCommand returns a command line for a shell that is safe to print.
func PrintableCommand(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = Quote(word)
	}
	return model.Printable(strings.Join(words, " "), MaxShownBytes)
}
