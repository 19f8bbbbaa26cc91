package draw

import (
	"strings"

	"sonde/ui/theme"
)

// OperationLine draws an operation such as "POST /products/{id}" in at most width cells.
func OperationLine(id string, width int) Line { return operation(id, width, ShortPath) }

// operation draws an operation in at most width cells. shorten shortens its path.
func operation(id string, width int, shorten func(path string, width int) string) Line {
	method, path, _ := strings.Cut(Clean(id), " ")
	line := TextLine(method, theme.Method(method))
	return append(line, Span{" " + shorten(path, width-line.Width()-1), theme.Plain}).Cut(width)
}

// ShortPath returns a path in at most width cells. It drops the first segments, because paths of operations usually
// differ in the last segments. If the last segment is too long, ShortPath drops the beginning of the segment.
func ShortPath(path string, width int) string {
	if widthOf(path) <= width {
		return path
	}
	inner := strings.TrimSuffix(path, "/") // the slash at the end of a path begins no segment
	last := max(0, strings.LastIndexByte(inner, '/'))
	from, end, cells := -1, len(path), 0
	for i := last; i > 0; i = strings.LastIndexByte(inner[:i], '/') {
		cells += widthOf(path[i:end])
		if cells >= width {
			break
		}
		from, end = i, i
	}
	if from < 0 {
		rest := path[last:]
		return "…" + dropLeft(rest, max(0, widthOf(rest)-width+1))
	}
	return "…" + path[from:]
}
