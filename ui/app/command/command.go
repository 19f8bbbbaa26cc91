// Package command writes command lines that a shell reads: what to type to do the
// same again.
package command

import (
	"net/url"
	"strings"

	"sonde/model"
)

// SearchCommand is a search with these arguments.
func SearchCommand(args []string) string {
	line := "sonde search"
	for _, word := range args {
		line += " " + Quote(word)
	}
	return line
}

// WithoutCredentials takes the log-in out of a spec's URL.
func WithoutCredentials(source string) string {
	u, err := url.Parse(source)
	if err != nil || u.User == nil {
		return source
	}
	u.User = nil
	return u.String()
}

// Quote protects a word from the shell where it needs it.
func Quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// MaxShownBytes is how much of a command is shown in a line.
const MaxShownBytes = 2000

// PrintableCommand is a command as a shell reads it, safe to print.
func PrintableCommand(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = Quote(word)
	}
	return model.Printable(strings.Join(words, " "), MaxShownBytes)
}
