package send

import (
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// address is the method and the URL of a request as it will be sent. The zero value is unknown.
type address struct{ method, url string }

// newAddress returns the address of a request to a service. If the address of the service is not known yet, because the
// service will be started, the URL is only a path.
func newAddress(service string, virtual bool, r model.Request) address {
	if virtual || strings.Contains(service, model.PortPlaceholder) {
		service = ""
	}
	return address{method: r.Method, url: strings.TrimSuffix(service, "/") + r.URL}
}

// addressOf returns the address of the request of a form. requests returns the requests of a test as they would be sent.
func addressOf(f form, requests func(model.Test) []model.Request, service string, virtual bool) address {
	if f.empty() || requests == nil {
		return address{}
	}
	f.bodyless = true
	t, err := f.test(nil)
	if err != nil {
		return address{}
	}
	all := requests(t)
	if len(all) == 0 {
		return address{}
	}
	return newAddress(service, virtual, all[len(all)-1])
}

// tallPane is the number of lines from which on a pane has two lines for a long address.
const tallPane = 12

// height returns the number of lines of the address in a pane with a width and a height.
func (a address) height(width, height int) int {
	switch {
	case a.method == "" || height < 4:
		return 0
	case height >= tallPane && ansi.StringWidth(a.text()) > width-2:
		return 2
	}
	return 1
}

func (a address) text() string { return draw.Clean(a.method) + " " + draw.Clean(a.url) }

// lines draws the address. A long URL loses its middle.
func (a address) lines(width, height int) []string {
	rows := a.height(width, height)
	if rows == 0 {
		return nil
	}
	room := max(1, width-2)
	text := draw.CutMiddle(a.text(), room*rows)
	var lines []string
	for i := range rows {
		part := ansi.Cut(text, i*room, (i+1)*room)
		line := draw.TextLine(" ", theme.Plain)
		if method := draw.Clean(a.method); i == 0 && strings.HasPrefix(part, method) {
			line = append(line, draw.Span{Text: method, Style: theme.Method(a.method).Bold()})
			part = part[len(method):]
		}
		lines = append(lines, append(line, draw.Span{Text: part, Style: theme.Plain}).Render(width, false))
	}
	return lines
}
