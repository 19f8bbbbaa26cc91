package main

import "sonde/runner/testdata/services/serve"

// column belongs to a board. Its limit is the largest number of its cards.
type column struct {
	ID    int    `json:"columnId"`
	Title string `json:"title"`
	Limit int    `json:"limit"`
	Free  int    `json:"free"`

	cards shelf[card]
}

const usualLimit = 3

type newColumn struct {
	Title *string `json:"title"`
	Limit *int    `json:"limit"`
}

func (n newColumn) check() error {
	return serve.Check(
		serve.Rule{Holds: serve.Text(n.Title, 1, 40), Text: "title: must have 1 to 40 characters"},
		serve.Rule{Holds: n.Limit == nil || serve.Within(n.Limit, 1, 20), Text: "limit: must be from 1 to 20"},
	)
}

func (w *work) listColumns(c *serve.Call) (serve.Answer, error) {
	b, err := w.kept(c)
	if err != nil {
		return serve.Answer{}, err
	}
	return serve.OK(b.columns.sorted())
}

func (w *work) createColumn(c *serve.Call) (serve.Answer, error) {
	b, err := w.kept(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in newColumn
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	for _, other := range b.columns {
		if other.Title == *in.Title {
			return serve.Answer{}, conflict("title: the board has such a column")
		}
	}
	limit := serve.Or(in.Limit, usualLimit)
	k := &column{w.next(), *in.Title, limit, limit, shelf[card]{}}
	b.columns[k.ID] = k
	return serve.Created(k, "%s/%d", c.URL.Path, k.ID)
}

func (w *work) patchColumn(c *serve.Call) (serve.Answer, error) {
	k, err := w.column(c)
	if err != nil {
		return serve.Answer{}, err
	}
	title, now := k.Title, k.Limit
	in := newColumn{&title, &now}
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	limit := serve.Or(in.Limit, usualLimit)
	// F05: the new limit may be less than the number of cards.
	c.Fault("F05", limit < len(k.cards))
	places := make([]bool, limit-len(k.cards))
	k.Title, k.Limit, k.Free = *in.Title, limit, len(places)
	return serve.OK(k)
}

func (w *work) deleteColumn(c *serve.Call) (serve.Answer, error) {
	k, err := w.column(c)
	if err != nil {
		return serve.Answer{}, err
	}
	b, _ := w.board(c)
	return remove(b.columns, k.ID, len(k.cards))
}
