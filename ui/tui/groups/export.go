package groups

import (
	"fmt"
	"strings"

	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// export is the figure of the group under the cursor, to be written into a file.
func (s *Screen) export() screen.GraphPicture {
	d, g := s.drawing(), s.group()
	p := screen.GraphPicture{Title: fmt.Sprintf("%s: group %d, %s", s.study.Spec.Title, g+1, screen.GroupName(s.study.Groups[g]))}
	for _, op := range d.ops {
		method, path, _ := strings.Cut(string(op), " ")
		p.Boxes = append(p.Boxes, []screen.BoxLine{{Method: method, Text: path}})
	}
	for _, all := range d.values {
		var lines []screen.BoxLine
		for _, name := range all {
			lines = append(lines, screen.BoxLine{Text: name})
		}
		p.Boxes = append(p.Boxes, lines)
	}
	for _, e := range d.sheet.Graph.Edges {
		p.Arrows = append(p.Arrows, screen.BoxArrow{From: e.From, To: e.To})
	}
	if d.leftOps+d.leftValues > 0 {
		p.Note = fmt.Sprintf("Not shown: %s, %s", words.Plural(d.leftOps, "operation"), words.Plural(d.leftValues, "value"))
	}
	return p
}
