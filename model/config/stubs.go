package config

import (
	"fmt"

	"sonde/model"
)

// LoadStubs reads a file of permanent stubs. The file is YAML or JSON with a list under the key stubs. The error is of
// one line and names the file and, if it is about a place in the file, the line.
func LoadStubs(path string) ([]model.Stub, error) {
	data, err := contents("configuration", path, "write the stubs there, or leave --stubs out")
	if err != nil {
		return nil, err
	}
	all, err := ParseStubs(data)
	if err != nil {
		return nil, fmt.Errorf("stubs %q: %w", path, err)
	}
	return all, nil
}

// ParseStubs parses the text of a file of stubs.
func ParseStubs(data []byte) ([]model.Stub, error) {
	v, err := parse(data)
	if err != nil {
		return nil, err
	}
	s := stubsDecoder{decoder: &decoder{}}
	s.decoder.object(v, "the file", s.fields())
	return s.stubs, s.decoder.err
}

// stubsDecoder decodes a file of stubs.
type stubsDecoder struct {
	decoder *decoder
	stubs   []model.Stub // the stubs decoded so far
}

// fields returns the keys of the file, with their decoders.
func (r *stubsDecoder) fields() fields {
	return fields{"stubs": func(list *value) {
		r.decoder.each(list, func(one *value) {
			s := model.Stub{}
			r.decoder.object(one, "a stub", r.stub(&s))
			if err := s.Validate(); err != nil {
				r.decoder.fail(one, "%v", err)
			}
			r.stubs = append(r.stubs, s)
		})
	}}
}

// stub returns the keys of a stub, with their decoders.
func (r *stubsDecoder) stub(s *model.Stub) fields {
	return fields{
		"host":     r.decoder.text(&s.Host),
		"protocol": r.decoder.oneOf((*string)(&s.Protocol), protocols()...),
		"inward":   r.decoder.flag(&s.Inward),
		"repeat":   r.decoder.flag(&s.Repeat),
		"match":    func(v *value) { r.decoder.object(v, "match", r.match(&s.Match)) },
		"prologue": func(v *value) {
			r.decoder.each(v, func(one *value) { s.Prologue = append(s.Prologue, r.prologueStep(one)) })
		},
		"any_connection": r.decoder.flag(&s.AnyConnection),
		"answers":        func(v *value) { r.decoder.each(v, func(one *value) { s.Answers = append(s.Answers, r.answer(one)) }) },
		"else": func(v *value) {
			a := r.answer(v)
			s.Else = &a
		},
	}
}

// protocols returns the names of the protocols.
func protocols() (all []string) {
	for _, p := range model.Protocols {
		all = append(all, string(p))
	}
	return all
}

func (r *stubsDecoder) match(m *model.StubMatch) fields {
	return fields{
		"method": r.decoder.text(&m.Method),
		"path":   r.decoder.text(&m.Path),
		"query":  r.decoder.pairs(&m.Query, "query"),
		"header": r.decoder.pairs(&m.Header, "header"),
		"json":   r.decoder.text(&m.JSON),
		"equals": r.decoder.text(&m.Equals),
		"prefix": r.decoder.text(&m.Prefix),
		"regexp": r.decoder.text(&m.Regexp),
		"nth":    r.decoder.count(&m.Nth, maxCount),
	}
}

func (r *stubsDecoder) prologueStep(v *value) (p model.PrologueStep) {
	r.decoder.object(v, "a step of a prologue", fields{
		"request":       r.decoder.text(&p.Request),
		"request_bytes": r.decoder.base64(&p.RequestBytes),
		"body":          r.decoder.text(&p.Body),
		"bytes":         r.decoder.base64(&p.Bytes),
	})
	return p
}

// headerFields decodes the fields of a header. The value of a field is a text or a list of texts.
func (d *decoder) headerFields(to *model.HeaderFields, what string) decodeFunc {
	return func(v *value) {
		if v.kind != isObject {
			d.fail(v, "%s takes names with their values, not %s", what, v.what())
			return
		}
		*to = model.HeaderFields{}
		for i, key := range v.keys {
			values := []string{}
			one := func(v *value) {
				var text string
				if v.kind != isNull {
					d.text(&text)(v)
				}
				values = append(values, text)
			}
			if v.kids[i].kind == isList {
				d.each(v.kids[i], one)
			} else {
				one(v.kids[i])
			}
			(*to)[key] = values
		}
	}
}

// maxCount is the largest allowed number in a stub.
const maxCount = 1 << 30

func (r *stubsDecoder) answer(v *value) (a model.Answer) {
	r.decoder.object(v, "an answer", fields{
		"status":  r.decoder.count(&a.Status, 599),
		"header":  r.decoder.headerFields(&a.Header, "header"),
		"trailer": r.decoder.headerFields(&a.Trailer, "trailer"),
		"body":    r.decoder.text(&a.Body),
		"bytes":   r.decoder.base64(&a.Bytes),
		"close":   r.decoder.flag(&a.Close),
		"fault":   r.decoder.text((*string)(&a.Fault)),
		"after":   r.decoder.count(&a.After, maxCount),
		"latency": r.decoder.count(&a.Latency, maxCount),
		"rate":    r.decoder.count(&a.Rate, maxCount),
		"records": func(list *value) {
			r.decoder.each(list, func(one *value) {
				record := model.DNSRecord{}
				r.decoder.object(one, "a record", fields{"type": r.decoder.text(&record.Type), "value": r.decoder.text(&record.Value)})
				a.Records = append(a.Records, record)
			})
		},
	})
	return a
}
