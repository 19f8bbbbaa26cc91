package oracle

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// uuidForm matches any UUID, whatever its version.
var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// hasFormat reports whether a text has a format. It accepts every text for a format that is not checked,
// and common deviations from the format of a date-time.
func hasFormat(format, text string) bool {
	switch format {
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case "date-time":
		return isDateTime(text)
	case "uuid":
		return uuidForm.MatchString(text)
	case "email":
		return strings.Contains(text, "@")
	case "ipv4":
		a, err := netip.ParseAddr(text)
		return err == nil && a.Is4()
	case "ipv6":
		a, err := netip.ParseAddr(text)
		return err == nil && a.Is6()
	}
	return true
}

// dateTimeLayouts are the layouts of a date-time that are accepted: that of RFC 3339, and variants with a
// space instead of the T, without seconds, with a short offset or without an offset.
var dateTimeLayouts = datesTimesZones()

// datesTimesZones returns all combinations of a date, a time and a zone.
func datesTimesZones() (all []string) {
	for _, between := range []string{"T", " "} {
		for _, clock := range []string{"15:04:05", "15:04"} {
			for _, zone := range []string{"Z07:00", "Z0700", "Z07", ""} {
				all = append(all, "2006-01-02"+between+clock+zone)
			}
		}
	}
	return all
}

func isDateTime(text string) bool {
	text, _, _ = strings.Cut(strings.ToUpper(text), "[") // the name of the zone (RFC 9557)
	for _, layout := range dateTimeLayouts {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return strings.Contains(text, ":60") // a leap second
}

// keepsFormat reports whether a text of a request has a format. It is stricter than hasFormat for date-time and uri,
// because services may refuse the deviations that hasFormat accepts. Other formats are checked by hasFormat.
func keepsFormat(format, text string) bool {
	switch format {
	case "date-time":
		return isRFC3339(text)
	case "uri":
		u, err := url.Parse(text)
		return err == nil && u.IsAbs()
	}
	return hasFormat(format, text)
}

// rfc3339Form matches a date-time of RFC 3339, with the seconds as its first group. time.Parse also accepts other
// forms.
var rfc3339Form = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

// isRFC3339 reports whether a text is a date-time of RFC 3339. The second 60 is allowed in the last minute of a UTC
// day.
func isRFC3339(text string) bool {
	text = strings.ToUpper(text)
	seconds := rfc3339Form.FindStringSubmatchIndex(text)
	if seconds == nil {
		return false
	}
	isLeap := text[seconds[2]:seconds[3]] == "60"
	if isLeap {
		text = text[:seconds[2]] + "59" + text[seconds[3]:]
	}
	t, err := time.Parse(time.RFC3339, text)
	return err == nil && (!isLeap || t.UTC().Format(time.TimeOnly) == "23:59:59")
}
