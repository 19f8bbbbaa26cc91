package main

import (
	"net/http"

	"sonde/runner/testdata/services/serve"
)

// desk is the state of the service.
type desk struct {
	last    int // the newest number
	tickets map[int]*ticket
	agents  map[string]*agent
	queues  map[string]*queue
	uploads map[string]*upload
}

func (d *desk) reset() {
	*d = desk{tickets: map[int]*ticket{}, agents: map[string]*agent{}, queues: map[string]*queue{}, uploads: map[string]*upload{}}
}

func (d *desk) next() int {
	d.last++
	return d.last
}

// enveloped is the form of the answers of newer operations.
type enveloped struct {
	Data any `json:"data"`
}

// created answers 201 without a Location.
func created(body any) (serve.Answer, error) { return serve.Created(body, "") }

func conflict(text string) error { return serve.Refuse(http.StatusConflict, "%s", text) }

func unfit(text string) error { return serve.Refuse(http.StatusUnprocessableEntity, "%s", text) }

// read decodes a body and checks it.
func read[T interface{ check() error }](c *serve.Call, in *T) error {
	if err := c.Decode(in); err != nil {
		return err
	}
	return (*in).check()
}
