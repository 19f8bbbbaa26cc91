package tui

import (
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// serviceLabel draws the name or the environment of the service, and its URL. A service in production and one on another
// machine have a warning. If there is no URL, serviceLabel draws that there is no service. base is explained at
// serviceAddress.
func serviceLabel(h screen.Service, base string, room int) draw.Line {
	where := serviceAddress(h, base)
	switch {
	case h.URL == "":
		return draw.TextLine(theme.Optional+" no service ", theme.Dim)
	case h.Production:
		return draw.TextLine(theme.Live+" "+productionName(h)+"  "+where+" ", theme.Bad).Cut(room)
	case h.Remote:
		return draw.TextLine(theme.Live+" REMOTE "+environmentPart(h)+where+" ", theme.Bad).Cut(room)
	case h.Name != "":
		where = draw.Clean(h.Name) + "  " + where
	}
	return draw.Line{{Text: theme.Live + " ", Style: theme.Good}, {Text: environmentPart(h) + where + " ", Style: theme.Plain}}.Cut(room)
}

// serviceAddress returns the URL of the service, without parts that go without saying. For a service that Sonde starts,
// base is the address of the last one that it has started for requests by hand, "" for none.
func serviceAddress(h screen.Service, base string) string {
	url, started := h.URL, ""
	if h.IsStarted() {
		if base == "" {
			return "starts a service"
		}
		url, started = base, "started "
	}
	return started + strings.TrimSuffix(strings.TrimPrefix(draw.Clean(url), "http://"), "/")
}

// maxEnvironmentName is the maximum width of an environment's name in the title line, in cells.
const maxEnvironmentName = 20

// environmentPart returns the name of the environment as the beginning of a label, "" if there is none.
func environmentPart(h screen.Service) string {
	if h.Environment == "" {
		return ""
	}
	return draw.CutMiddle(draw.Clean(h.Environment), maxEnvironmentName) + "  "
}

// productionName returns the word PRODUCTION and the name of the environment. The word alone is enough if that is the
// name.
func productionName(h screen.Service) string {
	const word = "PRODUCTION"
	if strings.EqualFold(h.Environment, word) {
		return word
	}
	return word + " " + draw.CutMiddle(draw.Clean(h.Environment), maxEnvironmentName)
}
