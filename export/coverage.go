package export

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// maxLocations is the maximum number of source lines that a test's comment names.
const maxLocations = 5

// sourceLine matches the file and line in a target's ID.
var sourceLine = regexp.MustCompile(`^(.+\.go:\d+):\d+ `)

// coverageComment returns a comment that lists the source lines for which a test is kept, or "" if no
// target is in source code.
func coverageComment(targets []string) string {
	var locations []string
	seen := map[string]bool{}
	for _, id := range targets {
		if m := sourceLine.FindStringSubmatch(id); m != nil && !seen[m[1]] {
			seen[m[1]] = true
			locations = append(locations, path.Base(m[1]))
		}
	}
	if len(locations) == 0 {
		return ""
	}
	list := strings.Join(locations[:min(len(locations), maxLocations)], ", ")
	if more := len(locations) - maxLocations; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return "//\n// It covers " + remark(list, 200) + ".\n"
}
