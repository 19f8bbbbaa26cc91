package draw

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A line that is longer than any terminal loses its middle. The cost of drawing it does not depend on its
// length.
func TestLongLinesLoseTheirMiddle(t *testing.T) {
	long := "begin" + strings.Repeat("é\x1b[31m", 1<<20) + "end"
	if got := Clean(long); len(got) > 2*longestLine || !strings.HasPrefix(got, "beginé") ||
		!strings.HasSuffix(got, "end") || !utf8.ValidString(got) || strings.Contains(got, "\x1b") {
		t.Errorf("%d bytes: %.40q", len(got), got)
	}
	if got := CleanLines(long + "\nb"); len(got) > 2*longestOf || !strings.HasSuffix(got, "end\nb") || !utf8.ValidString(got) {
		t.Errorf("%d bytes: %.40q", len(got), got)
	}
}
