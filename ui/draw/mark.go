package draw

// Mark makes letters bold and underlines them. find returns the byte offsets of these letters in the text of a span.
// Mark does not change a span if marking would split letters that form one character, because this would change the
// width.
func (l Line) Mark(find func(text string) []int) Line {
	var out Line
	for _, s := range l {
		at := find(s.Text)
		if pieces := s.pieces(at); len(at) > 0 && pieces.Width() == widthOf(s.Text) {
			out = append(out, pieces...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// pieces splits a span into marked and unmarked parts.
func (s Span) pieces(at []int) Line {
	var out Line
	marked := make(map[int]bool, len(at))
	for _, i := range at {
		marked[i] = true
	}
	from := 0
	for i := range s.Text {
		if i > 0 && marked[i] != marked[from] {
			out = append(out, s.piece(s.Text[from:i], marked[from]))
			from = i
		}
	}
	return append(out, s.piece(s.Text[from:], marked[from]))
}

func (s Span) piece(text string, marked bool) Span {
	if marked {
		return Span{text, s.Style.Bold().Underline(true)}
	}
	return Span{text, s.Style}
}
