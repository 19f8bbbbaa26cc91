package oracle

import (
	"net/netip"
	"regexp"
	"strings"
	"time"
)

// uuidForm is any UUID, whatever its version.
var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// formatted tells whether a text has a format. Only those count on which
// everybody agrees, and with what writers of dates commonly do otherwise.
func formatted(format, text string) bool {
	switch format {
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case "date-time":
		return moment(text)
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

// moments are the ways in which services write a date-time: RFC 3339, and with
// a blank for the T, without a colon in the offset, or without one.
var moments = []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05"}

func moment(text string) bool {
	text = strings.ToUpper(text)
	for _, layout := range moments {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return strings.Contains(text, ":60") // a leap second
}
