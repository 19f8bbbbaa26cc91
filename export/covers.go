package export

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// mostPlaces is how many lines of the service's source a test's comment names.
const mostPlaces = 5

// inSource is the file and line in a target's ID.
var inSource = regexp.MustCompile(`^(.+\.go:\d+):\d+ `)

// codeComment names lines of the service's source that the suite has a test for.
func (s Suite) codeComment(test string) string {
	var places []string
	seen := map[string]bool{}
	for _, id := range s.Code[test] {
		if m := inSource.FindStringSubmatch(id); m != nil && !seen[m[1]] {
			seen[m[1]] = true
			places = append(places, path.Base(m[1]))
		}
	}
	if len(places) == 0 {
		return ""
	}
	list := strings.Join(places[:min(len(places), mostPlaces)], ", ")
	if more := len(places) - mostPlaces; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return "//\n// It is there for " + remark(list, 200) + ".\n"
}
