package main

import "sonde/runner/testdata/services/serve"

// card belongs to a column. Its state is open, then doing, then done.
type card struct {
	ID       int    `json:"cardId"`
	Title    string `json:"title"`
	State    string `json:"state"`
	Estimate *int   `json:"estimate,omitempty"` // in hours
	Locked   bool   `json:"locked"`
	Burnt    int    `json:"burnt"` // the hours of cards that are done

	comments shelf[comment]
}

const (
	open  = "open"
	doing = "doing"
	done  = "done"
)

// after has the states that may follow each state.
var after = map[string][]string{open: {open, doing}, doing: {doing, open, done}, done: {done, open}}

type newCard struct {
	Title    *string `json:"title"`
	Estimate *int    `json:"estimate"`
}

func (n newCard) check() error {
	return serve.Check(
		serve.Rule{Holds: serve.Text(n.Title, 1, 80), Text: "title: must have 1 to 80 characters"},
		serve.Rule{Holds: n.Estimate == nil || serve.Within(n.Estimate, 0, 100), Text: "estimate: must be from 0 to 100"},
	)
}

func (w *work) listCards(c *serve.Call) (serve.Answer, error) {
	k, err := w.column(c)
	if err != nil {
		return serve.Answer{}, err
	}
	q := c.Query()
	state := q.OneOf("state", false, open, doing, done)
	list := []*card{}
	for _, card := range k.cards.sorted() {
		if state == "" || card.State == state {
			list = append(list, card)
		}
	}
	a, _ := serve.OK(list)
	return a, q.Err
}

func (w *work) createCard(c *serve.Call) (serve.Answer, error) {
	k, err := w.column(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in newCard
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	if k.Free == 0 {
		return serve.Answer{}, unfit("the column is full")
	}
	n := &card{ID: w.next(), Title: *in.Title, State: open, Estimate: in.Estimate, comments: shelf[comment]{}}
	k.cards[n.ID] = n
	k.Free--
	return serve.Created(n, "%s/%d", c.URL.Path, n.ID)
}

func (w *work) getCard(c *serve.Call) (serve.Answer, error) { return found(w.card(c)) }

type cardChange struct {
	Title  *string `json:"title"`
	State  *string `json:"state"`
	Locked *bool   `json:"locked"`
}

func (n cardChange) check() error {
	return serve.Check(
		serve.Rule{Holds: n.Title == nil || serve.Text(n.Title, 1, 80), Text: "title: must have 1 to 80 characters"},
		serve.Rule{Holds: n.State == nil || serve.OneOf(n.State, open, doing, done), Text: "state: must be open, doing or done"},
	)
}

func (w *work) patchCard(c *serve.Call) (serve.Answer, error) {
	k, err := w.card(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in cardChange
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	state := serve.Or(in.State, k.State)
	if !serve.OneOf(&state, after[k.State]...) {
		return serve.Answer{}, unfit("state: after %s cannot come %s", k.State, state)
	}
	if state == done && k.State != done {
		// F06: some cards have no estimate.
		c.Fault("F06", k.Estimate == nil)
		k.Burnt = *k.Estimate
	}
	k.Title, k.State, k.Locked = serve.Or(in.Title, k.Title), state, serve.Or(in.Locked, k.Locked)
	return serve.OK(k)
}

func (w *work) deleteCard(c *serve.Call) (serve.Answer, error) {
	k, err := w.card(c)
	if err != nil {
		return serve.Answer{}, err
	}
	from, _ := w.column(c)
	if len(k.comments) == 0 {
		from.Free++
	}
	return remove(from.cards, k.ID, len(k.comments))
}
