package export

import (
	"regexp"
	"slices"
	"strings"
)

// Region marks lines of a file as generated, by comments around them that name what they
// are: only they change when the file is updated. A comment begins like before.
func Region(before, name, text string) string {
	return before + "sonde:begin " + name + "\n\n" + strings.Trim(text, "\n") + "\n\n" + before + "sonde:end " + name + "\n"
}

// mark is the beginning or the end of a region. A file of another system has \r, too.
var mark = regexp.MustCompile(`^\s*(?:#|//) sonde:(begin|end) (\S+)\s*$`)

// piece are lines of a file, which are a region where they have a name.
type piece struct{ name, text string }

// pieces cuts a file into its regions and what is between them. It is false where they are
// not whole, or one is there twice.
func pieces(text string) ([]piece, bool) {
	var all []piece
	var now piece
	known := map[string]bool{}
	for _, line := range strings.SplitAfter(text, "\n") {
		m := mark.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		switch {
		case m == nil:
			now.text += line
		case m[1] == "begin" && now.name == "" && !known[m[2]]:
			all, now, known[m[2]] = append(all, now), piece{m[2], line}, true
		case m[1] == "end" && now.name == m[2]:
			all, now = append(all, piece{m[2], now.text + line}), piece{}
		default:
			return nil, false
		}
	}
	return append(all, now), now.name == ""
}

// Merge puts the regions of a new file into an old one: each into the place of the one that
// has its name, or else behind the one that it stands behind. All else of the old file
// stays. It is false where that has no regions, or they are not whole.
func Merge(old, new string) (string, bool) {
	all, whole := pieces(old)
	fresh, _ := pieces(new)
	if !whole || len(all) < 2 {
		return "", false
	}
	at := -1
	for _, p := range fresh {
		if p.name == "" {
			continue
		}
		if i := slices.IndexFunc(all, func(o piece) bool { return o.name == p.name }); i >= 0 {
			all[i], at = p, i
			continue
		}
		at++
		all = append(all[:at:at], append([]piece{{"", "\n"}, p}, all[at:]...)...)
		at++
	}
	var b strings.Builder
	for _, p := range all {
		b.WriteString(p.text)
	}
	return b.String(), true
}
