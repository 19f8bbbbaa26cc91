package draw

import (
	"slices"
	"testing"

	"sonde/ui/theme"
)

func TestWrapLine(t *testing.T) {
	line := Line{{"review_id", theme.Value}, {" is ", theme.Dim}, {"review.id", theme.Value}, {": it names a 東京", theme.Dim}}
	for _, c := range []struct {
		width, most int
		want        []string
	}{
		{40, 3, []string{"review_id is review.id: it names a 東京"}},
		{23, 3, []string{"review_id is review.id:", "it names a 東京"}},
		{12, 9, []string{"review_id is", "review.id:", "it names a", "東京"}},
		{12, 2, []string{"review_id is", "review.id: …"}},
		{5, 3, []string{"revie", "w_id", "is r…"}},
	} {
		var got []string
		for _, l := range line.Wrap(c.width, c.most) {
			got = append(got, l.Text())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d cells, %d lines: got %q, want %q", c.width, c.most, got, c.want)
		}
	}
	spaced := Line{{"  content  ", theme.Value}, {" you choose:\u00a0the new content", theme.Dim}}
	if all := spaced.Wrap(20, 3); len(all) != 2 || all[0].Text() != "content you choose:" || all[1].Text() != "the new content" {
		t.Errorf("several blanks: got %+v", all)
	}
	wrapped := line.Wrap(12, 9)
	if got := wrapped[1][0]; got.Style != theme.Value || got.Text != "review.id" {
		t.Errorf("the second line begins with %+v", got)
	}
	if got := (Line{}).Wrap(10, 3); len(got) > 1 || len(got) == 1 && got[0].Text() != "" {
		t.Errorf("an empty line is wrapped to %v", got)
	}
}
