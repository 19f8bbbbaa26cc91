package export

import (
	"regexp"
	"slices"
	"strings"
)

// MarkRegion encloses a text in two comments that mark it as a generated region with a name. An update of
// the file changes only its regions. The comments begin with prefix.
func MarkRegion(prefix, name, text string) string {
	return prefix + "sonde:begin " + name + "\n\n" + strings.Trim(text, "\n") + "\n\n" + prefix + "sonde:end " + name + "\n"
}

// mark matches the first or last line of a region. Lines may end in \r, as on Windows.
var mark = regexp.MustCompile(`^\s*(?:#|###|//) sonde:(begin|end) (\S+)\s*$`)

// piece is a part of a file: a region, or the lines between regions. Its name is "" between regions.
type piece struct{ name, text string }

// pieces splits a file into its regions and the lines between them. It returns false if a region lacks its
// first or last line, is inside another one or appears twice.
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

// MergeRegions merges the regions of a new file into an old one. A new region replaces the old region of
// the same name, or else the old region of the same test. If there is neither, it is inserted after the
// region that precedes it in the new file, or at the start of the old file. Old regions whose name or test
// is in retired are removed, unless the new file has a region of the same name. The rest of the old file
// remains. If there is only blank space between the regions, they get the order of the new file; other regions
// remain after the region that preceded them. MergeRegions returns false if the old file has no regions or
// malformed ones.
func MergeRegions(old, new string, retired ...string) (string, bool) {
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
		if i := p.index(all, named); i >= 0 {
			all[i], at = p, i
			continue
		}
		at++
		all = append(all[:at:at], append([]piece{{"", "\n"}, p}, all[at:]...)...)
		at++
	}
	reorder(all, fresh)
	var b strings.Builder
	for _, p := range all {
		b.WriteString(p.text)
	}
	return b.String(), true
}

// reorder brings the regions of a merged file into the order of the new file, unless there is text between them.
func reorder(all, fresh []piece) {
	var places []int // indexes of the regions
	for i, p := range all {
		if p.name == "" {
			continue
		}
		if n := len(places); n > 0 && slices.ContainsFunc(all[places[n-1]+1:i], piece.hasText) {
			return
		}
		places = append(places, i)
	}
	ordered := make([]piece, 0, len(places))
	for _, p := range fresh {
		if p.name != "" {
			ordered = append(ordered, p)
		}
	}
	at := 0 // where to insert the next region that only the old file has
	for _, i := range places {
		if found := slices.IndexFunc(ordered, func(p piece) bool { return p.name == all[i].name }); found >= 0 {
			at = found + 1
			continue
		}
		ordered = slices.Insert(ordered, at, all[i])
		at++
	}
	for n, i := range places {
		all[i] = ordered[n]
	}
}

// hasText reports whether there is more than blank space in a piece.
func (p piece) hasText() bool { return strings.TrimSpace(p.text) != "" }

// index returns the index of the old region that p replaces, -1 if there is none. It is the region with the same name.
// If there is no such region, index looks at the regions of the same test whose names the new file does not use. If
// there is exactly one of these, p replaces it. named has the names in the new file.
func (p piece) index(old []piece, named map[string]bool) int {
	if i := slices.IndexFunc(old, func(o piece) bool { return o.name == p.name }); i >= 0 {
		return i
	}
	found := -1
	for i, o := range old {
		switch {
		case o.name == "" || named[o.name] || p.test() == "" || o.test() != p.test():
		case found >= 0:
			return -1
		default:
			found = i
		}
	}
	return found
}

// testLine matches the first line of a test's comment: its ID and the operations that it calls.
var testLine = regexp.MustCompile(`(?m)^\s*(?:#|//) (Test \S.*)$`)

// test returns the first comment line of the test in a region, "" if the region has no test.
func (p piece) test() string {
	if m := testLine.FindStringSubmatch(p.text); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

func (p piece) isOneOf(retired []string) bool {
	return p.name != "" && slices.ContainsFunc(retired, func(r string) bool { return r == p.name || r != "" && r == p.test() })
}
