package individual

import (
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/upload"
)

// violation is one input with which a call violates the spec. A service should refuse the call. The genes stay valid:
// the violation replaces a part of the call after the genes have set it. In the EvoMaster paper (section 4.1), only
// dates can be invalid.
type violation struct {
	in    model.Location // "" for no violation
	name  string         // name of a parameter
	path  []string       // path of a value in a JSON body
	whole bool           // the whole body is replaced or omitted
	with  string         // the replacement or addition: text, or JSON in a body
	does  change
	media string // replaces the media type of the body unless it is ""
	// file is the defect of a file, "" for none. If there is one, name is the name of the file's part, and with
	// is the text for the defect.
	file upload.Defect
	// escaped is true if the replacement of a parameter is already escaped.
	escaped bool
}

// change is what a violation does with a value.
type change uint8

const (
	replaces change = iota // the value is replaced
	omits                  // the value is left out
	adds                   // a property is added to an object
	repeats                // a parameter is sent twice
	appends                // a text follows the body
	inserts                // an input is sent that the operation does not declare
)

// put applies the violation to a call.
func (v violation) put(c model.Call) model.Call {
	switch {
	case v.in == "":
	case v.in != model.InBody:
		c.Args = v.putArg(c.Args)
	case v.does == inserts && c.Body == nil:
		c.Body = &model.Payload{Media: v.media, Data: v.with}
	case c.Body != nil:
		c.Body = v.putBody(*c.Body)
	}
	return c
}

func (v violation) putArg(args []model.Arg) []model.Arg {
	here := func(a model.Arg) bool { return a.In == v.in && a.Name == v.name }
	switch v.does {
	case omits:
		return slices.DeleteFunc(args, here)
	case inserts:
		return append(args, model.Arg{In: v.in, Name: v.name, Value: v.with, Escaped: v.escaped})
	}
	i := slices.IndexFunc(args, here)
	switch {
	case i < 0:
	case v.does == repeats:
		args = slices.Insert(args, i, args[i])
	default:
		args[i] = args[i].WithValue(v.with)
		args[i].Escaped = args[i].Escaped || v.escaped
	}
	return args
}

func (v violation) putBody(b model.Payload) *model.Payload {
	switch {
	case v.file != "": // call.message applies it
	case v.media != "":
		b.Media = v.media
	case v.whole && v.does == omits:
		return nil
	case v.whole && v.does == appends:
		b.Data += v.with
	case v.whole:
		b.Data = v.with
	default:
		b.Data = v.replace(b.Data)
	}
	return &b
}

// violate gives a call a random violation in place of its present one, if any. It returns false if no
// violation is possible.
func (c *call) violate(r *rand.Rand) bool {
	all := c.violations()
	if len(all) == 0 {
		return false
	}
	c.violation = all[r.IntN(len(all))]
	return true
}

// violations returns all violations that are possible with the call's values.
func (c call) violations() []violation {
	var all []violation
	args := c.args()
	for _, p := range c.op.Params {
		if p.In == model.InPath && !checksPath(c.op) {
			continue
		}
		at := violation{in: p.In, name: p.Name}
		if p.Required && p.In != model.InPath {
			all = append(all, at.without())
		}
		if p.Schema == nil || !slices.ContainsFunc(args, func(a model.Arg) bool { return a.In == p.In && a.Name == p.Name }) {
			continue
		}
		for _, text := range invalidTexts(p.Schema) {
			all = append(all, at.instead(text))
		}
	}
	return append(all, c.bodyViolations()...)
}

// bodyViolations returns the violations that are possible in the body.
func (c call) bodyViolations() []violation {
	body := c.message()
	if body == nil {
		return nil
	}
	var all []violation
	whole := violation{in: model.InBody, whole: true}
	if c.op.Body.Required {
		all = append(all, whole.without())
	}
	if media := otherMedia(c.op.Body.Contents); media != "" && declares(c.op, "415") {
		all = append(all, violation{in: model.InBody, media: media})
	}
	if c.kind != asJSON {
		return all
	}
	all = append(all, whole.instead(`{"`), whole.instead(`[]`))
	return append(all, partViolations(c.schema, decode(body.Data))...)
}

func declares(op *model.Operation, status string) bool {
	return slices.ContainsFunc(op.Responses, func(r model.Response) bool { return r.Status == status })
}

// checksPath reports whether an operation declares a status for invalid input. If it does not, an
// invalid value in the path only names a resource that does not exist.
func checksPath(op *model.Operation) bool { return declares(op, "400") || declares(op, "422") }

// otherMedia returns one of three common media types that the spec does not declare for a body, "" if the spec
// declares all three.
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

// without returns the violation that omits the value.
func (v violation) without() violation {
	v.does = omits
	return v
}

// twice returns the violation that sends a parameter twice.
func (v violation) twice() violation {
	v.does = repeats
	return v
}

// instead returns a copy of v that replaces the value at its place by a text.
func (v violation) instead(with string) violation {
	v.with = with
	return v
}

// insteadEscaped is like instead for a parameter and a text that is already escaped for a URL.
func (v violation) insteadEscaped(with string) violation {
	v.with, v.escaped = with, true
	return v
}

// insteadAll returns a copy of v for each text, as instead does.
func (v violation) insteadAll(texts []string) []violation {
	var all []violation
	for _, text := range texts {
		all = append(all, v.instead(text))
	}
	return all
}
