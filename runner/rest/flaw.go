package rest

import (
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
)

// flaw is one place in which a call is not as the document has it: the paper's
// invalid input, beyond dates (section 4.1), which a service should refuse. The
// genes stay valid; a flaw is put into what they print.
type flaw struct {
	in model.Place // "" for none
	// name is the parameter's; path is the place in the body, and whole is all
	// of the body where that is no JSON or to be none.
	name  string
	path  []string
	whole bool
	// with is what stands there instead: text, or JSON in a body; gone is
	// nothing.
	with string
	gone bool
	// media is that of the body instead, "" for its own.
	media string
}

// put prints the flaw into a call.
func (f flaw) put(c model.Call) model.Call {
	switch {
	case f.in == "":
	case f.in != model.InBody:
		c.Args = f.putArg(c.Args)
	case c.Body != nil:
		c.Body = f.putBody(*c.Body)
	}
	return c
}

func (f flaw) putArg(args []model.Arg) []model.Arg {
	here := func(a model.Arg) bool { return a.In == f.in && a.Name == f.name }
	if f.gone {
		return slices.DeleteFunc(args, here)
	}
	if i := slices.IndexFunc(args, here); i >= 0 {
		args[i] = args[i].With(f.with)
	}
	return args
}

func (f flaw) putBody(b model.Payload) *model.Payload {
	switch {
	case f.media != "":
		b.Media = f.media
	case f.whole && f.gone:
		return nil
	case f.whole:
		b.Data = f.with
	default:
		b.Data = f.replace(b.Data)
	}
	return &b
}

// spoil gives a call a flaw, or another one, and reports whether there is any for
// it.
func (c *call) spoil(r *rand.Rand) bool {
	all := c.flaws()
	if len(all) == 0 {
		return false
	}
	c.flaw = all[r.IntN(len(all))]
	return true
}

// flaws are all that a call could have with its present values.
func (c call) flaws() []flaw {
	var all []flaw
	args := c.args()
	for _, p := range c.op.Params {
		if p.In == model.InPath && !looksAtPath(c.op) {
			continue
		}
		at := flaw{in: p.In, name: p.Name}
		if p.Required && p.In != model.InPath {
			all = append(all, at.without())
		}
		if p.Schema == nil || !slices.ContainsFunc(args, func(a model.Arg) bool { return a.In == p.In && a.Name == p.Name }) {
			continue
		}
		for _, text := range wrongTexts(p.Schema) {
			all = append(all, at.instead(text))
		}
	}
	return append(all, c.bodyFlaws()...)
}

func (c call) bodyFlaws() []flaw {
	body := c.message()
	if body == nil {
		return nil
	}
	var all []flaw
	whole := flaw{in: model.InBody, whole: true}
	if c.op.Body.Required {
		all = append(all, whole.without())
	}
	if media := otherMedia(c.op.Body.Contents); media != "" && declares(c.op, "415") {
		all = append(all, flaw{in: model.InBody, media: media})
	}
	if c.kind != asJSON {
		return all
	}
	all = append(all, whole.instead(`{"`), whole.instead(`[]`))
	return append(all, partFlaws(c.schema, decode(body.Data), nil)...)
}

// declares reports whether an operation says that it answers with a status. One that
// does not say 415 tends to look at no media type.
func declares(op *model.Operation, status string) bool {
	return slices.ContainsFunc(op.Responses, func(r model.Response) bool { return r.Status == status })
}

// looksAtPath reports whether an operation says that it refuses what it is sent. To one
// that does not, a flaw in the path tends to be the name of another thing.
func looksAtPath(op *model.Operation) bool { return declares(op, "400") || declares(op, "422") }

// otherMedia is a media type that a body may not have, "" where it may have any.
func otherMedia(declared []model.Content) string {
	for _, media := range []string{"text/plain", "application/xml", "application/json"} {
		covers := func(c model.Content) bool {
			start, isRange := strings.CutSuffix(baseMedia(c.Media), "*")
			return isRange && strings.HasPrefix(media, strings.TrimPrefix(start, "*/")) || start == media
		}
		if !slices.ContainsFunc(declared, covers) {
			return media
		}
	}
	return ""
}

func (f flaw) without() flaw {
	f.gone = true
	return f
}

func (f flaw) instead(with string) flaw {
	f.with = with
	return f
}
