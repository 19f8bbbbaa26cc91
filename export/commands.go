package export

import (
	"strings"

	"sonde/model"
)

// Commands says in a line which commands a Go file of a suite runs, "" where it runs none: they are
// of a configuration or a run, which may be another person's.
func (s Suite) Commands(file string) string {
	var all []string
	if s.Service != nil {
		start := "starts the service by " + commandText(s.Service.Command)
		if b := s.Service.Build; b != nil {
			start = "builds " + commandText([]string{b.Package}) + " and " + start
		}
		all = append(all, start)
	}
	if s.resets() && len(s.Reset.Command) > 0 {
		all = append(all, "resets the service by "+commandText(s.Reset.Command))
	}
	if len(all) == 0 {
		return ""
	}
	line := file + " " + strings.Join(all, " and ")
	if s.Service != nil {
		line += "; with SONDE_BASE_URL it calls the service there"
	}
	return line + "."
}

// commandText returns a command in a line for people.
func commandText(command []string) string {
	return `"` + model.Printable(strings.Join(command, " "), 200) + `"`
}
