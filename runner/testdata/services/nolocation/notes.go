package main

import "sonde/runner/testdata/services/serve"

// note is a text on a ticket.
type note struct {
	ID       int     `json:"id"`
	Text     string  `json:"text"`
	Internal bool    `json:"internal"`
	Author   *string `json:"author"`
}

type newNote struct {
	Text     *string `json:"text"`
	Internal bool    `json:"internal"`
	Author   *string `json:"author"`
}

func (n newNote) check() error {
	return serve.Check(
		serve.Rule{Holds: serve.Text(n.Text, 1, 500), Text: "text: must have 1 to 500 characters"},
		serve.Rule{Holds: n.Author == nil || serve.Text(n.Author, 1, 40), Text: "author: must have 1 to 40 characters"},
	)
}

func (d *desk) createNote(c *serve.Call) (serve.Answer, error) {
	t, err := d.ticket(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in newNote
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	n := &note{d.next(), *in.Text, in.Internal, in.Author}
	t.notes[n.ID] = n
	return created(enveloped{map[string]any{"id": n.ID, "text": n.Text}})
}

func (d *desk) getNote(c *serve.Call) (serve.Answer, error) {
	t, err := d.ticket(c)
	if err != nil {
		return serve.Answer{}, err
	}
	n := t.notes[c.ID("noteId")]
	if n == nil {
		return serve.Answer{}, serve.Missing("note")
	}
	shown := *n
	if shown.Author == nil && !n.Internal {
		shown.Author = new("somebody")
	}
	// F06: an internal note may have no author, although the spec requires one.
	c.Fault("F06", shown.Author == nil)
	return serve.OK(enveloped{shown})
}
