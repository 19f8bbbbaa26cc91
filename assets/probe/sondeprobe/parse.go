package sondeprobe

// Parse calls a function that parses a string. If the function rejects the string, the distance is how
// far the string is from sample, which the function accepts.
func Parse[T any](p uint32, sample string, f func(text string) (T, error), text string) (T, error) {
	v, err := f(text)
	if O(p) {
		recordParse(p, err == nil, text, sample)
	}
	return v, err
}

// ParseNumber calls a function that parses a string as a number, such as strconv.Atoi. If the function rejects
// the string, the distance is how far the string is from a text of digits. sample is a number that the function
// accepts.
func ParseNumber[T any](p uint32, sample string, f func(text string) (T, error), text string) (T, error) {
	v, err := f(text)
	if O(p) {
		recordNumber(p, err == nil, text, sample)
	}
	return v, err
}

// ParseInt calls a function such as strconv.ParseInt like ParseNumber.
func ParseInt[T any](
	p uint32, sample string, f func(text string, base, bits int) (T, error), text string, base, bits int,
) (T, error) {
	v, err := f(text, base, bits)
	if O(p) {
		recordNumber(p, err == nil, text, sample)
	}
	return v, err
}

// ParseFloat calls strconv.ParseFloat like ParseNumber.
func ParseFloat[T any](p uint32, sample string, f func(text string, bits int) (T, error), text string, bits int) (T, error) {
	v, err := f(text, bits)
	if O(p) {
		recordNumber(p, err == nil, text, sample)
	}
	return v, err
}

// ParseBy calls time.Parse like Parse. The sample is made from the layout.
func ParseBy[T any](p uint32, f func(layout, text string) (T, error), layout, text string) (T, error) {
	v, err := f(layout, text)
	if O(p) {
		recordParse(p, err == nil, text, SampleTime(layout))
	}
	return v, err
}

// recordParse records whether a string was accepted.
func recordParse(p uint32, accepted bool, text, sample string) {
	recordAccepted(p, accepted, relationDistance(p, Equal, accepted, text, sample), text, sample)
}

// recordNumber records whether a string was accepted as a number.
func recordNumber(p uint32, accepted bool, text, sample string) {
	distance := 1.0
	if !accepted && isDistanceNeeded(p, false) {
		distance = max(numberGap(text), 1)
	}
	recordAccepted(p, accepted, distance, text, sample)
}

// recordAccepted records whether a string was accepted. For a rejected string it also records the sample, which
// may replace the string. For an accepted string it does not: the sample is accepted, too, so it leads to no
// other outcome.
func recordAccepted(p uint32, accepted bool, distance float64, text, sample string) {
	if record(p, accepted, distance) && !accepted {
		pairOf(p).recordTexts(p, Call+Equal, text, sample)
	}
}

// emptyGap is the distance of an empty text from a number. It is greater than the distances of most other texts.
const emptyGap = 1 << 16

// numberGap returns how far the characters of a text are from those of a decimal number.
func numberGap(text string) float64 {
	if text == "" {
		return emptyGap
	}
	gap := 0
	for i := range len(text) {
		switch c := int(text[i]); {
		case c == '-' || c == '+' || c == '.':
		case c < '0':
			gap += '0' - c
		case c > '9':
			gap += c - '9'
		}
	}
	return float64(gap)
}

// Of calls a method that reports whether v is of a kind. If it is not, the distance is how far the text
// of v is from sample, which is the text of a value of that kind.
func Of[T interface{ String() string }](p uint32, sample string, v T, isKind func() bool) bool {
	r := isKind()
	if O(p) {
		recordRelation(p, Equal, r, v.String(), sample)
	}
	return r
}

// layoutSamples has elements of time layouts, each with a text that the element accepts. Elements that accept
// themselves, as 2006 does, are left out. Longer elements come first.
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
