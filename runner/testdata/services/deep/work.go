package main

import (
	"maps"
	"net/http"
	"slices"

	"sonde/runner/testdata/services/serve"
)

// work is the state of the service: organisations and all that is in them.
type work struct {
	last int // the newest id
	orgs shelf[org]
}

func (w *work) reset() { *w = work{orgs: shelf[org]{}} }

func (w *work) next() int {
	w.last++
	return w.last
}

// shelf has the things of the next level in one thing, by id.
type shelf[T any] map[int]*T

// sorted returns the things in the order in which they were created.
func (s shelf[T]) sorted() []*T {
	list := []*T{}
	for _, id := range slices.Sorted(maps.Keys(s)) {
		list = append(list, s[id])
	}
	return list
}

// find returns the thing that the path names.
func (s shelf[T]) find(c *serve.Call, param, what string) (*T, error) {
	if t := s[c.ID(param)]; t != nil {
		return t, nil
	}
	return nil, serve.Missing(what)
}

// within is find for a level below a parent. err is the error of finding the parent.
func within[P, T any](parent *P, err error, below func(*P) shelf[T], c *serve.Call, param, what string) (*T, error) {
	if err != nil {
		return nil, err
	}
	return below(parent).find(c, param, what)
}

func (w *work) org(c *serve.Call) (*org, error) { return w.orgs.find(c, "orgId", "organisation") }

func (w *work) project(c *serve.Call) (*project, error) {
	o, err := w.org(c)
	return within(o, err, func(o *org) shelf[project] { return o.projects }, c, "projectId", "project")
}

func (w *work) board(c *serve.Call) (*board, error) {
	p, err := w.project(c)
	return within(p, err, func(p *project) shelf[board] { return p.boards }, c, "boardId", "board")
}

func (w *work) column(c *serve.Call) (*column, error) {
	b, err := w.board(c)
	return within(b, err, func(b *board) shelf[column] { return b.columns }, c, "columnId", "column")
}

func (w *work) card(c *serve.Call) (*card, error) {
	k, err := w.column(c)
	return within(k, err, func(k *column) shelf[card] { return k.cards }, c, "cardId", "card")
}

func (w *work) comment(c *serve.Call) (*comment, error) {
	k, err := w.card(c)
	return within(k, err, func(k *card) shelf[comment] { return k.comments }, c, "commentId", "comment")
}

// found answers with the thing that was found, or with the error.
func found[T any](t *T, err error) (serve.Answer, error) {
	if err != nil {
		return serve.Answer{}, err
	}
	return serve.OK(t)
}

// remove removes a thing from its shelf if it holds nothing itself.
func remove[T any](from shelf[T], id, held int) (serve.Answer, error) {
	if held > 0 {
		return serve.Answer{}, conflict("there are %d things in it: delete them first", held)
	}
	delete(from, id)
	return serve.NoContent()
}

func conflict(format string, args ...any) error {
	return serve.Refuse(http.StatusConflict, format, args...)
}

func unfit(format string, args ...any) error {
	return serve.Refuse(http.StatusUnprocessableEntity, format, args...)
}

// read decodes a body and checks it.
func read[T interface{ check() error }](c *serve.Call, in *T) error {
	if err := c.Decode(in); err != nil {
		return err
	}
	return (*in).check()
}
