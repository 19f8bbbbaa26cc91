package sondeprobe

// Parse calls what reads a value from a text. A text of which it reads none is compared
// with one of which it does.
func Parse[T any](p uint32, sample string, f func(text string) (T, error), text string) (T, error) {
	v, err := f(text)
	if O(p) {
		tried(p, Equal, err == nil, text, sample)
	}
	return v, err
}

// ParseBy calls time.Parse, which cannot be imported here: a layout is the sample.
func ParseBy[T any](p uint32, f func(layout, text string) (T, error), layout, text string) (T, error) {
	v, err := f(layout, text)
	if O(p) {
		tried(p, Equal, err == nil, text, Moment(layout))
	}
	return v, err
}

// Of asks a value whether it is of a kind. One that is not is compared, as text, with a
// sample that is.
func Of[T interface{ String() string }](p uint32, sample string, v T, is func() bool) bool {
	r := is()
	if O(p) {
		tried(p, Equal, r, v.String(), sample)
	}
	return r
}

// marks are what a layout has in another form than the times that it reads: the longer
// before the shorter.
var marks = [...][2]string{{"Z07:00:00", "Z"}, {"Z070000", "Z"}, {"Z07:00", "Z"}, {"Z0700", "Z"}, {"Z07", "Z"}, {"_2", " 2"}}

// Moment is a time as a layout has it.
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
