package main

import "sonde/runner/testdata/services/serve"

// comment belongs to a card, and may answer another comment.
type comment struct {
	ID      int    `json:"commentId"`
	Text    string `json:"text"`
	ReplyTo *int   `json:"replyTo,omitempty"`
	Depth   int    `json:"depth"` // the number of comments that it answers, directly or not

	replies int
}

// deepest is the largest depth of a comment.
const deepest = 1

type newComment struct {
	Text    *string `json:"text"`
	ReplyTo *int    `json:"replyTo"`
}

func (n newComment) check() error {
	return serve.Check(serve.Rule{Holds: serve.Text(n.Text, 1, 500), Text: "text: must have 1 to 500 characters"})
}

func (w *work) listComments(c *serve.Call) (serve.Answer, error) {
	k, err := w.card(c)
	if err != nil {
		return serve.Answer{}, err
	}
	return serve.OK(k.comments.sorted())
}

func (w *work) createComment(c *serve.Call) (serve.Answer, error) {
	k, err := w.card(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in newComment
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	if k.Locked {
		return serve.Answer{}, unfit("the card is locked")
	}
	n := &comment{ID: w.next(), Text: *in.Text, ReplyTo: in.ReplyTo}
	if in.ReplyTo != nil {
		before := k.comments[*in.ReplyTo]
		// F07: the code does not check that the comment exists.
		c.Fault("F07", before == nil)
		if before.Depth == deepest {
			return serve.Answer{}, conflict("replyTo: is a reply itself")
		}
		n.Depth = before.Depth + 1
		before.replies++
	}
	k.comments[n.ID] = n
	return serve.Created(n, "%s/%d", c.URL.Path, n.ID)
}

func (w *work) getComment(c *serve.Call) (serve.Answer, error) { return found(w.comment(c)) }

func (w *work) deleteComment(c *serve.Call) (serve.Answer, error) {
	n, err := w.comment(c)
	if err != nil {
		return serve.Answer{}, err
	}
	k, _ := w.card(c)
	if n.ReplyTo != nil && n.replies == 0 {
		k.comments[*n.ReplyTo].replies--
	}
	return remove(k.comments, n.ID, n.replies)
}
