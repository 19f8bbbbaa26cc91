package export

import (
	"strings"

	"sonde/model"
)

// CommandNotice returns a line about the commands that a Go file of the suite runs, "" if it runs none. The
// commands come from a configuration or a run that another person may have written.
func (s Suite) CommandNotice(file string) string {
	var all []string
	if s.Service != nil {
		start := "starts the service by " + commandText(s.Service.Command)
		switch b := s.Service.Build; {
		case b != nil:
			start = "builds " + commandText([]string{b.Package}) + " and " + start
		case s.usesDatabase():
			start = "builds the service by " + commandText(s.RowsBuild) + " and " + start
		}
		all = append(all, start)
	}
	if d := s.Driver; d != nil && d.Run != nil {
		all = append(all, "starts the driver of the service by "+commandText(d.Run.Command))
	}
	if s.settings().canReset() && s.Reset != nil && len(s.Reset.Command) > 0 {
		all = append(all, "resets the service by "+commandText(s.Reset.Command))
	}
	if len(all) == 0 {
		return ""
	}
	line := file + " " + strings.Join(all, " and ")
	if s.Service != nil || s.Driver != nil {
		line += "; with SONDE_BASE_URL it calls the service there"
	}
	return line + "."
}

// commandText returns a command as one printable line in quotes.
func commandText(command []string) string {
	return `"` + model.Printable(strings.Join(command, " "), 200) + `"`
}
