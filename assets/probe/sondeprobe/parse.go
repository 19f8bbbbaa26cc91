package sondeprobe

// Parse calls a function that parses a string. If the function rejects the string, the distance is
// that to sample, a string that it accepts.
func Parse[T any](p uint32, sample string, f func(text string) (T, error), text string) (T, error) {
	v, err := f(text)
	if O(p) {
		recordRelation(p, Equal, err == nil, text, sample)
	}
	return v, err
}

// ParseBy calls time.Parse like Parse. The sample is made from the layout.
func ParseBy[T any](p uint32, f func(layout, text string) (T, error), layout, text string) (T, error) {
	v, err := f(layout, text)
	if O(p) {
		recordRelation(p, Equal, err == nil, text, SampleTime(layout))
	}
	return v, err
}

// Of calls a method that reports whether a value is of a kind. The distance of any other value is
// that of its text to sample, the text of a value of that kind.
func Of[T interface{ String() string }](p uint32, sample string, v T, isKind func() bool) bool {
	r := isKind()
	if O(p) {
		recordRelation(p, Equal, r, v.String(), sample)
	}
	return r
}

// layoutSamples are the elements of a time layout that do not accept themselves as a text, as 2006 does, each with a text
// that it accepts. Longer elements come first.
var layoutSamples = [...][2]string{{"Z07:00:00", "Z"}, {"Z070000", "Z"}, {"Z07:00", "Z"}, {"Z0700", "Z"}, {"Z07", "Z"}, {"_2", " 2"}}

// SampleTime returns a text that time.Parse accepts with a layout.
func SampleTime(layout string) string {
	for _, m := range layoutSamples {
		for i := 0; i+len(m[0]) <= len(layout); i++ {
			if layout[i:i+len(m[0])] == m[0] {
				layout = layout[:i] + m[1] + layout[i+len(m[0]):]
			}
		}
	}
	return layout
}
