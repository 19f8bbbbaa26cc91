package sondeprobe

// Parse calls a function that parses a string. A string that it rejects is compared
// with a sample that it accepts.
func Parse[T any](p uint32, sample string, f func(text string) (T, error), text string) (T, error) {
	v, err := f(text)
	if O(p) {
		tried(p, Equal, err == nil, text, sample)
	}
	return v, err
}

// ParseBy calls time.Parse, which cannot be imported here. The sample follows from the
// layout.
func ParseBy[T any](p uint32, f func(layout, text string) (T, error), layout, text string) (T, error) {
	v, err := f(layout, text)
	if O(p) {
		tried(p, Equal, err == nil, text, Moment(layout))
	}
	return v, err
}

// Of reports whether a value is of a kind. A value that is not is compared, as text,
// with a sample that is.
func Of[T interface{ String() string }](p uint32, sample string, v T, is func() bool) bool {
	r := is()
	if O(p) {
		tried(p, Equal, r, v.String(), sample)
	}
	return r
}

// marks are the elements of a layout that differ from the times it accepts, longer ones
// first.
var marks = [...][2]string{{"Z07:00:00", "Z"}, {"Z070000", "Z"}, {"Z07:00", "Z"}, {"Z0700", "Z"}, {"Z07", "Z"}, {"_2", " 2"}}

// Moment returns a time in a layout.
func Moment(layout string) string {
	for _, m := range marks {
		for i := 0; i+len(m[0]) <= len(layout); i++ {
			if layout[i:i+len(m[0])] == m[0] {
				layout = layout[:i] + m[1] + layout[i+len(m[0]):]
			}
		}
	}
	return layout
}
