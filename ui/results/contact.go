package results

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"

	"github.com/charmbracelet/x/ansi"
)

// maxSent is the maximum number of cells for the data that the service sent, in the line of a contact.
const maxSent = 100

// ContactLine describes a contact of a command with the network in one line.
func ContactLine(c model.Contact) string {
	way := string(c.Protocol)
	if c.TLS {
		way += " with TLS"
	}
	if c.Inward {
		way += ", its own port"
	}
	line := fmt.Sprintf("%s (%s): %s: %s", draw.Clean(c.Host), way, contactAction(c), c.Outcome)
	if c.Stub >= 0 {
		line += fmt.Sprintf(", by stub %d", c.Stub+1)
	}
	return line
}

// contactAction describes what the service did, such as a request.
func contactAction(c model.Contact) string {
	switch {
	case c.Kind == model.ContactLookup:
		return "looks up " + draw.Clean(string(c.Data))
	case c.Kind == model.ContactListen:
		return "listens"
	case c.Kind == model.ContactDial:
		return "connects"
	case c.Kind == model.ContactUse:
		return draw.Clean(string(c.Data))
	case c.Protocol == model.HTTP:
		return draw.Clean(c.Request.Method + " " + c.Request.URL)
	case len(c.Data) == 0:
		return "sends nothing"
	}
	return ansi.Truncate(strings.TrimSpace(draw.Clean(string(c.Data))), maxSent, "…")
}
