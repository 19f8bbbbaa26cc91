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
// has its name, or else that is of the same test, or else behind the one that it stands behind.
// All else of the old file stays, but for regions that are retired: those with such a name, or
// of such a test. It is false where the old file has no regions, or they are not whole.
func Merge(old, new string, retired ...string) (string, bool) {
	all, whole := pieces(old)
	fresh, _ := pieces(new)
	if !whole || len(all) < 2 {
		return "", false
	}
	named := map[string]bool{}
	for _, p := range fresh {
		named[p.name] = p.name != ""
	}
	all = slices.DeleteFunc(all, func(p piece) bool { return !named[p.name] && p.isOneOf(retired) })
	at := -1
	for _, p := range fresh {
		if p.name == "" {
			continue
		}
		if i := p.place(all, named); i >= 0 {
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

// place is where an old file has a region: that of its name, or the only one of its test that
// has no name of the new file's; -1 where it has none.
func (p piece) place(old []piece, named map[string]bool) int {
	found := -1
	for i, o := range old {
		switch {
		case o.name == p.name:
			return i
		case o.name == "" || named[o.name] || p.test() == "" || o.test() != p.test():
		case found >= 0:
			return -1
		default:
			found = i
		}
	}
	return found
}

// testLine is the first line of a test's comment, which says its ID and what it calls.
var testLine = regexp.MustCompile(`(?m)^\s*(?:#|//) (Test \S.*)$`)

// test returns the first line about the test of a region, "" where it is of none.
func (p piece) test() string {
	if m := testLine.FindStringSubmatch(p.text); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

func (p piece) isOneOf(retired []string) bool {
	return p.name != "" && slices.ContainsFunc(retired, func(r string) bool { return r == p.name || r != "" && r == p.test() })
}
