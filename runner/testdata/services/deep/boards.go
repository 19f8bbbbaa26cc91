package main

import (
	"net/http"
	"strconv"

	"sonde/runner/testdata/services/serve"
)

// board belongs to a project. A request that changes a board may name the version that it changes.
type board struct {
	ID         int    `json:"boardId"`
	Title      string `json:"title"`
	Visibility string `json:"visibility"`
	Version    int    `json:"version"`

	columns shelf[column]
	deleted bool
}

type newBoard struct {
	Title      *string `json:"title"`
	Visibility *string `json:"visibility"`
}

func (n newBoard) check() error {
	return serve.Check(
		serve.Rule{Holds: serve.Text(n.Title, 1, 80), Text: "title: must have 1 to 80 characters"},
		serve.Rule{Holds: serve.OneOf(n.Visibility, "private", "team", "public"), Text: "visibility: must be private, team or public"},
	)
}

func (w *work) createBoard(c *serve.Call) (serve.Answer, error) {
	p, err := w.project(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in newBoard
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	if p.Status == "archived" {
		return serve.Answer{}, unfit("the project is archived")
	}
	b := &board{w.next(), *in.Title, *in.Visibility, 1, shelf[column]{}, false}
	p.boards[b.ID] = b
	return serve.Created(b, "%s/%d", c.URL.Path, b.ID)
}

func (w *work) getBoard(c *serve.Call) (serve.Answer, error) {
	b, err := w.board(c)
	if err == nil {
		c.Fault("F04", b.deleted)
	}
	return found(b, err)
}

func (w *work) putBoard(c *serve.Call) (serve.Answer, error) {
	b, err := w.kept(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in newBoard
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	if match := c.Header.Get("If-Match"); match != "" && match != strconv.Itoa(b.Version) {
		return serve.Answer{}, serve.Refuse(http.StatusPreconditionFailed, "If-Match: the version is %d", b.Version)
	}
	b.Title, b.Visibility, b.Version = *in.Title, *in.Visibility, b.Version+1
	return serve.OK(b)
}

// kept returns the board that a request names, unless it was deleted.
func (w *work) kept(c *serve.Call) (*board, error) {
	b, err := w.board(c)
	if err == nil && b.deleted {
		return nil, serve.Missing("board")
	}
	return b, err
}

func (w *work) deleteBoard(c *serve.Call) (serve.Answer, error) {
	b, err := w.kept(c)
	if err != nil {
		return serve.Answer{}, err
	}
	// F04: a private board is only marked as deleted. A read ignores the mark, so its answer is
	// wrong.
	if b.Visibility == "private" && len(b.columns) == 0 {
		b.deleted = true
		return serve.NoContent()
	}
	return remove(w.orgs[c.ID("orgId")].projects[c.ID("projectId")].boards, b.ID, len(b.columns))
}
