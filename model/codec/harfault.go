package codec

import (
	"slices"
	"strings"
	"time"

	"sonde/model"
)

// AddFaults adds a page for each fault, after all other pages. The page has the calls that show the fault. base is
// the URL to which the calls were sent. The times of these calls are not stored, so all get the same time: the time
// of the latest entry, but not earlier than began, the start of the run. Faults without stored calls, as in runs of
// older versions, are left out.
func (h *HAR) AddFaults(faults []model.Fault, base string, began time.Time) {
	t := traffic{log: *h, room: maxText}
	base = h.reached(strings.TrimRight(base, "/"))
	at := stamp(began)
	for _, e := range h.Entries {
		at = max(at, e.Started)
	}
	for _, f := range faults {
		if f.Test != nil && len(f.Exchanges) == len(f.Test.Calls) {
			t.fault(f, base, at)
		}
	}
	*h = t.log
}

// reached replaces the port placeholder in a base URL by the port of the first request in the file. The plan does not
// have the port, because a service that Sonde starts gets a new port each time. If the file has no requests, or if the
// first one went to another host, reached returns the URL without a port.
func (h *HAR) reached(base string) string {
	before, after, ok := strings.Cut(base, model.PortPlaceholder)
	if !ok {
		return base
	}
	if len(h.Entries) > 0 {
		if rest, ok := strings.CutPrefix(h.Entries[0].Request.URL, before); ok {
			digits := strings.IndexFunc(rest+"/", func(r rune) bool { return r < '0' || r > '9' })
			return before + rest[:digits] + after
		}
	}
	return strings.TrimSuffix(before, ":") + after
}

// fault adds a page with the calls of a fault.
func (t *traffic) fault(f model.Fault, base, at string) {
	page := harPageOut{ID: f.ID, Title: f.ID + " " + string(f.Op) + ": " + f.Label() + ", " + f.Repeated(), Started: at}
	t.log.Pages = append(t.log.Pages, page)
	for i, c := range f.Test.Calls {
		x := exchangeOf(c, f.Exchanges[i])
		x.Base = base
		e := harEntryOut{Page: f.ID, Started: at, Request: t.request(x), Response: t.response(x)}
		e.Comment = "when it was sent was not kept"
		if slices.ContainsFunc(f.Test.Links, func(l model.Link) bool { return l.To == i && l.In == model.InBody }) {
			e.Comment += "; the body was sent with values of earlier answers"
		}
		if c.User != "" {
			e.Comment += "; sent as " + c.User
		}
		if s := f.Exchanges[i].Err; s != "" {
			e.Response.Comment = s
		}
		t.log.Entries = append(t.log.Entries, e)
	}
}

// exchangeOf returns the stored exchange of a fault's call.
func exchangeOf(c model.Call, s model.ExchangeExcerpt) model.Exchange {
	method, _, _ := strings.Cut(string(c.Op), " ")
	header := map[string][]string{}
	for _, a := range c.Args {
		if a.In == model.InHeader {
			header[a.Name] = append(header[a.Name], a.Value)
		}
	}
	x := model.Exchange{
		Request: model.Request{Method: method, URL: s.URL, Header: header},
		Reply:   model.Reply{Status: s.Status, Header: s.Header, Body: []byte(s.Body), Truncated: s.Cut},
	}
	if c.Body != nil {
		header["Content-Type"], x.Request.Body = []string{c.Body.Media}, []byte(c.Body.Data)
	}
	return x
}
