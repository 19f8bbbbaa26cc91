package main

import (
	"fmt"
	"strings"

	"sonde/runner/testdata/services/serve"
)

// upload is a file that belongs to a ticket, or to none.
type upload struct {
	Type       string     `json:"type"`
	ID         string     `json:"id"`
	Attributes attributes `json:"attributes"`
}

type attributes struct {
	FileName  string `json:"fileName"`
	Extension string `json:"extension"`
	Bytes     int    `json:"bytes"`
}

type newUpload struct {
	FileName *string `json:"fileName"`
	Bytes    *int    `json:"bytes"`
	TicketID *int    `json:"ticketId"`
}

func (n newUpload) check() error {
	return serve.Check(
		serve.Rule{Holds: serve.Text(n.FileName, 1, 80), Text: "fileName: must have 1 to 80 characters"},
		serve.Rule{Holds: serve.Within(n.Bytes, 0, 1e7), Text: "bytes: must be from 0 to 10000000"},
	)
}

func (d *desk) createUpload(c *serve.Call) (serve.Answer, error) {
	var in newUpload
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	if in.TicketID != nil && d.tickets[*in.TicketID] == nil {
		return serve.Answer{}, unfit("ticketId: there is no such ticket")
	}
	parts := strings.Split(*in.FileName, ".")
	// F08: for a file of a ticket, the code reads the extension, which a file may lack.
	extension := ""
	if in.TicketID != nil {
		c.Fault("F08", len(parts) < 2)
		extension = parts[1]
	}
	u := &upload{"uploads", fmt.Sprintf("file-%d", d.next()), attributes{*in.FileName, extension, *in.Bytes}}
	d.uploads[u.ID] = u
	return created(enveloped{u})
}

func (d *desk) getUpload(c *serve.Call) (serve.Answer, error) {
	u := d.uploads[c.PathValue("uploadId")]
	if u == nil {
		return serve.Answer{}, serve.Missing("upload")
	}
	return serve.OK(enveloped{u})
}
