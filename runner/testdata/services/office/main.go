// Command office is a service for studies: its ids are in XML, in plain text and in URLs, and its numbers and dates must agree
// with each other.
package main

import (
	"encoding/xml"
	"fmt"
	"hash/crc32"
	"net/http"
	"time"

	"sonde/runner/testdata/services/serve"
)

// office has the things that exist, by id.
type office struct {
	parcels map[string]parcel
	things  map[string]bool // jobs, notes and keys
	totals  map[string]int  // of orders
	last    int
}

type parcel struct {
	XMLName xml.Name `xml:"parcel"`
	Sender  string   `xml:"sender>id"`
	ID      string   `xml:"id"`
	Weight  int      `xml:"weight"`
}

func (o *office) reset() {
	*o = office{parcels: map[string]parcel{}, things: map[string]bool{}, totals: map[string]int{}}
}

// newID returns an id that cannot be guessed.
func (o *office) newID() string {
	o.last++
	return fmt.Sprintf("k%08x", crc32.ChecksumIEEE([]byte{byte(o.last), byte(o.last >> 8), 'o'}))
}

func main() {
	o := &office{}
	o.reset()
	serve.Main([]serve.Operation{
		{Pattern: "POST /parcels", Do: o.addParcel},
		{Pattern: "GET /parcels/{parcelId}", Do: o.getParcel},
		{Pattern: "POST /parcels/{parcelId}/return", Do: o.returnParcel},
		{Pattern: "POST /jobs", Do: o.addJob},
		{Pattern: "GET /jobs/{jobId}/state", Do: o.getThing("jobId", "job")},
		{Pattern: "DELETE /jobs/{jobId}", Do: o.dropJob},
		{Pattern: "POST /notes", Do: o.addNote},
		{Pattern: "GET /notes/{noteId}", Do: o.getThing("noteId", "note")},
		{Pattern: "POST /keys", Do: o.addKey},
		{Pattern: "GET /keys/{keyId}", Do: o.getThing("keyId", "key")},
		{Pattern: "GET /pages", Do: listPages},
		{Pattern: "POST /splits", Do: split},
		{Pattern: "POST /shares", Do: share},
		{Pattern: "POST /stays", Do: stay},
		{Pattern: "POST /visits", Do: visit},
		{Pattern: "POST /orders", Do: o.addOrder},
		{Pattern: "POST /orders/{orderId}/payments", Do: o.pay},
	}, o.reset)
}

func inXML(status int, v any) (serve.Answer, error) {
	text, err := xml.Marshal(v)
	return serve.Answer{Status: status, Body: string(text), Media: "application/xml"}, err
}

func (o *office) addParcel(c *serve.Call) (serve.Answer, error) {
	var in struct {
		Weight *int `xml:"weight"`
	}
	if xml.Unmarshal(c.Bytes(), &in) != nil || in.Weight == nil || *in.Weight < 1 {
		return serve.Answer{}, serve.Refuse(http.StatusBadRequest, "the weight is at least 1")
	}
	p := parcel{Sender: o.newID(), ID: o.newID(), Weight: *in.Weight}
	o.parcels[p.ID] = p
	return inXML(http.StatusCreated, p)
}

func (o *office) getParcel(c *serve.Call) (serve.Answer, error) {
	p, ok := o.parcels[c.PathValue("parcelId")]
	if !ok {
		return serve.Answer{}, serve.Missing("parcel")
	}
	return inXML(http.StatusOK, p)
}

func (o *office) returnParcel(c *serve.Call) (serve.Answer, error) {
	id := c.PathValue("parcelId")
	p, ok := o.parcels[id]
	if !ok {
		return serve.Answer{}, serve.Missing("parcel")
	}
	// F01: the rate of light parcels is missing.
	if c.Fault("F01", p.Weight < 100) {
		panic("no postage")
	}
	delete(o.parcels, id)
	return serve.NoContent()
}

// addJob answers with a URL in which the id is not the last segment.
func (o *office) addJob(*serve.Call) (serve.Answer, error) {
	id := o.newID()
	o.things[id] = true
	return serve.Answer{Status: http.StatusAccepted, Location: "http://office.example/v1/jobs/" + id + "/state"}, nil
}

// getThing returns the operation that reads a job, a note or a key.
func (o *office) getThing(param, what string) func(*serve.Call) (serve.Answer, error) {
	return func(c *serve.Call) (serve.Answer, error) {
		if !o.things[c.PathValue(param)] {
			return serve.Answer{}, serve.Missing(what)
		}
		return serve.OK(map[string]string{"state": "open"})
	}
}

func (o *office) dropJob(c *serve.Call) (serve.Answer, error) {
	// F02: jobs cannot be stopped.
	if c.Fault("F02", o.things[c.PathValue("jobId")]) {
		panic("the job runs")
	}
	return serve.Answer{}, serve.Missing("job")
}

// addNote answers with a URL that has the id in its query.
func (o *office) addNote(*serve.Call) (serve.Answer, error) {
	id := o.newID()
	o.things[id] = true
	return serve.Answer{Status: http.StatusCreated, Location: "/notes?lang=en&id=" + id}, nil
}

// addKey answers with the id as plain text.
func (o *office) addKey(*serve.Call) (serve.Answer, error) {
	id := o.newID()
	o.things[id] = true
	return serve.Answer{Status: http.StatusCreated, Body: id + "\n", Media: "text/plain"}, nil
}

// cursors are those of the second and the last page.
var cursors = []string{"c-5e1f0a", "c-77d02b"}

func listPages(c *serve.Call) (serve.Answer, error) {
	var next string
	switch c.URL.Query().Get("cursor") {
	case "":
		next = cursors[0]
	case cursors[0]:
		next = cursors[1]
	case cursors[1]:
		// F03: the last page has no next one.
		c.Fault("F03", true)
		panic("no next page")
	default:
		return serve.Answer{}, serve.Refuse(http.StatusBadRequest, "there is no such cursor")
	}
	a, err := serve.OK([]string{"page"})
	a.Link = "</v1/pages>; rel=first, </v1/pages?cursor=" + next + `>; rel="next"`
	return a, err
}

type parts struct{ Share, Rest *int }

func (p parts) check() error {
	return serve.Check(
		serve.Rule{Holds: serve.Within(p.Share, 1, 99) && serve.Within(p.Rest, 1, 99), Text: "both are from 1 to 99"},
	)
}

// split takes two parts of a hundred.
func split(c *serve.Call) (serve.Answer, error) {
	var in parts
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	if err := in.check(); err != nil {
		return serve.Answer{}, err
	}
	if *in.Share+*in.Rest != 100 {
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "this does not add up")
	}
	// F04: the smaller part must be the rest.
	if c.Fault("F04", *in.Share < *in.Rest) {
		panic("the share is too small")
	}
	return serve.NoContent()
}

// share is the twin of split without a fault.
func share(c *serve.Call) (serve.Answer, error) {
	var in parts
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	if err := in.check(); err != nil {
		return serve.Answer{}, err
	}
	if *in.Share+*in.Rest != 100 {
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "this does not add up")
	}
	return serve.NoContent()
}

// period is a number of nights from one day to another.
type period struct {
	From, To string
	Nights   *int
}

// read reads a period and checks that its members agree.
func (p *period) read(c *serve.Call) error {
	if err := c.Decode(p); err != nil {
		return err
	}
	from, err := time.Parse(time.DateOnly, p.From)
	to, errTo := time.Parse(time.DateOnly, p.To)
	if err != nil || errTo != nil || !serve.Within(p.Nights, 1, 60) {
		return serve.Refuse(http.StatusBadRequest, "two days and up to 60 nights")
	}
	if !from.AddDate(0, 0, *p.Nights).Equal(to) {
		return serve.Refuse(http.StatusUnprocessableEntity, "the nights are not those between the days")
	}
	return nil
}

func stay(c *serve.Call) (serve.Answer, error) {
	var p period
	if err := p.read(c); err != nil {
		return serve.Answer{}, err
	}
	// F05: stays are not longer than two weeks.
	if c.Fault("F05", *p.Nights > 15) {
		panic("a long stay")
	}
	return serve.NoContent()
}

// visit is the twin of stay without a fault.
func visit(c *serve.Call) (serve.Answer, error) {
	var p period
	if err := p.read(c); err != nil {
		return serve.Answer{}, err
	}
	return serve.NoContent()
}

// addOrder answers with a total that the caller does not know.
func (o *office) addOrder(*serve.Call) (serve.Answer, error) {
	id := o.newID()
	total := 1000 + int(crc32.ChecksumIEEE([]byte(id))%9000)
	o.totals[id] = total
	return serve.Created(map[string]any{"id": id, "total": total}, "/orders/%s", id)
}

func (o *office) pay(c *serve.Call) (serve.Answer, error) {
	total, ok := o.totals[c.PathValue("orderId")]
	if !ok {
		return serve.Answer{}, serve.Missing("order")
	}
	var in struct{ Amount *int }
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	if in.Amount == nil || *in.Amount != total {
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "this is not what the order costs")
	}
	return serve.NoContent()
}
