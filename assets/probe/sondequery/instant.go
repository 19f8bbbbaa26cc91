package sondequery

const (
	microsPerSecond = 1_000_000
	microsPerDay    = 86_400 * microsPerSecond
)

// parseInstant parses a time such as 2026-01-02, 2026-01-02 10:30:00.25+00 or 2026-01-02T10:30:00+02:00, and returns
// the microseconds since 1970. Without a zone the time is in UTC. If zoned is not set, the zone is ignored, as
// PostgreSQL ignores it for a timestamp without time zone.
func parseInstant(s string, zoned bool) (micros int64, ok bool) {
	day, rest, ok := parseDay(s)
	if !ok || rest == "" {
		return day * microsPerDay, ok
	}
	if rest[0] != 'T' && rest[0] != 't' && rest[0] != ' ' {
		return 0, false
	}
	rest = rest[1:]
	var parts [3]int64 // hours, minutes and seconds; the seconds may be missing
	for i := range parts {
		if i > 0 && (rest == "" || rest[0] != ':') {
			if i == 1 {
				return 0, false
			}
			break
		}
		if i > 0 {
			rest = rest[1:]
		}
		if parts[i], rest, ok = takeDigits(rest, 2); !ok {
			return 0, false
		}
	}
	micros = day*microsPerDay + ((parts[0]*60+parts[1])*60+parts[2])*microsPerSecond
	fraction, rest := takeFraction(rest)
	offset, ok := parseOffset(rest)
	if zoned {
		micros -= offset * 60 * microsPerSecond
	}
	return micros + fraction, ok
}

// parseDay parses a day with a year of four digits. It returns the days since 1970, and what follows the day.
func parseDay(s string) (days int64, rest string, ok bool) {
	year, rest, ok := takeDigits(s, 4)
	if !ok || !hasPrefix(rest, "-") {
		return 0, "", false
	}
	month, rest, ok := takeDigits(rest[1:], 2)
	if !ok || !hasPrefix(rest, "-") || month < 1 || month > 12 {
		return 0, "", false
	}
	day, rest, ok := takeDigits(rest[1:], 2)
	return daysSince1970(year, month, day), rest, ok
}

// takeDigits parses a number with exactly n digits at the beginning of a text.
func takeDigits(s string, n int) (v int64, rest string, ok bool) {
	if len(s) < n {
		return 0, "", false
	}
	v, ok = parseInt(s[:n])
	return v, s[n:], ok && v >= 0
}

// takeFraction parses the fraction of a second at the beginning of a text, such as .25, and returns it in microseconds.
func takeFraction(s string) (micros int64, rest string) {
	if !hasPrefix(s, ".") {
		return 0, s
	}
	n := 1
	for unit := int64(microsPerSecond / 10); n < len(s) && isDigit(s[n]); unit /= 10 {
		micros += int64(s[n]-'0') * unit
		n++
	}
	return micros, s[n:]
}

// parseOffset parses a zone, such as Z, +02 or -03:30, and returns its minutes east of UTC.
func parseOffset(s string) (minutes int64, ok bool) {
	if s == "" || s == "Z" || s == "z" {
		return 0, true
	}
	sign := int64(1)
	switch s[0] {
	case '+':
	case '-':
		sign = -1
	default:
		return 0, false
	}
	hours, rest, ok := takeDigits(s[1:], 2)
	if !ok {
		return 0, false
	}
	if rest != "" {
		if rest[0] == ':' {
			rest = rest[1:]
		}
		if minutes, rest, ok = takeDigits(rest, 2); !ok || rest != "" {
			return 0, false
		}
	}
	return sign * (hours*60 + minutes), true
}

// daysSince1970 returns the number of days from 1970-01-01 to a day of the Gregorian calendar. It counts years from
// March on, so that the day that a leap year adds is the last of its year.
func daysSince1970(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	return 365*year + floorDiv(year, 4) - floorDiv(year, 100) + floorDiv(year, 400) + (153*(month-3)+2)/5 + day - 1 - 719_468
}

func floorDiv(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// formatInstant formats the microseconds since 1970 as a time in UTC, such as 2026-01-02T10:30:00.25Z.
func formatInstant(micros int64) string {
	days := floorDiv(micros, microsPerDay)
	inDay := micros - days*microsPerDay
	year, month, day := dateOf(days)
	seconds := inDay / microsPerSecond
	text := digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2) + "T" +
		digits(seconds/3600, 2) + ":" + digits(seconds/60%60, 2) + ":" + digits(seconds%60, 2)
	if fraction := inDay % microsPerSecond; fraction > 0 {
		text += "." + digits(fraction, 6)
		for text[len(text)-1] == '0' {
			text = text[:len(text)-1]
		}
	}
	return text + "Z"
}

// daysIn400Years is the number of days after which the calendar repeats.
const daysIn400Years = 146_097

// dateOf is the inverse of daysSince1970. It starts with an estimate of the year, which is never too late.
func dateOf(days int64) (year, month, day int64) {
	year = 1969 + floorDiv(400*days, daysIn400Years)
	for daysSince1970(year+1, 1, 1) <= days {
		year++
	}
	month = 1
	for month < 12 && daysSince1970(year, month+1, 1) <= days {
		month++
	}
	return year, month, days - daysSince1970(year, month, 1) + 1
}

// digits formats a number with at least n digits.
func digits(v int64, n int) string {
	s := formatInt(v)
	for len(s) < n {
		s = "0" + s
	}
	return s
}
