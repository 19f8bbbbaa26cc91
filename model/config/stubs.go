package config

import (
	"encoding/base64"
	"fmt"

	"sonde/model"
)

// LoadStubs reads a file of stubs: what hosts around the service answer in every test.
// It is YAML or JSON, a list under the key stubs. The error is of one line and names
// the file and the line.
func LoadStubs(path string) ([]model.Stub, error) {
	data, err := contents(path, "write the stubs there, or leave --stubs out")
	if err != nil {
		return nil, err
	}
	all, err := ParseStubs(data)
	if err != nil {
		return nil, fmt.Errorf("stubs %q: %w", path, err)
	}
	return all, nil
}

// ParseStubs reads the text of such a file.
func ParseStubs(data []byte) (all []model.Stub, err error) {
	v, err := parse(data)
	if err != nil {
		return nil, err
	}
	r := &reader{named: map[string]bool{}}
	r.object(v, "the file", fields{"stubs": func(list *value) {
		r.each(list, func(one *value) {
			s := model.Stub{}
			r.object(one, "a stub", r.stub(&s))
			if err := s.Validate(); err != nil {
				r.fail(one, "%v", err)
			}
			all = append(all, s)
		})
	}})
	return all, r.err
}

// stub are the keys of one.
func (r *reader) stub(s *model.Stub) fields {
	return fields{
		"host":     r.text(&s.Host),
		"protocol": r.oneOf((*string)(&s.Protocol), string(model.HTTP), string(model.TCP), string(model.UDP), string(model.DNS)),
		"inward":   r.flag(&s.Inward),
		"repeat":   r.flag(&s.Repeat),
		"match":    func(v *value) { r.object(v, "match", r.match(&s.Match)) },
		"answers":  func(v *value) { r.each(v, func(one *value) { s.Answers = append(s.Answers, r.answer(one)) }) },
		"else": func(v *value) {
			a := r.answer(v)
			s.Else = &a
		},
	}
}

func (r *reader) match(m *model.StubMatch) fields {
	return fields{
		"method": r.text(&m.Method),
		"path":   r.text(&m.Path),
		"query":  r.pairs(&m.Query, "query"),
		"header": r.pairs(&m.Header, "header"),
		"json":   r.text(&m.JSON),
		"equals": r.text(&m.Equals),
		"prefix": r.text(&m.Prefix),
		"regexp": r.text(&m.Regexp),
		"nth":    r.count(&m.Nth, mostCount),
	}
}

// mostCount is the most that a number of a stub may be: of bytes, milliseconds or
// connections.
const mostCount = 1 << 30

func (r *reader) answer(v *value) (a model.Answer) {
	r.object(v, "an answer", fields{
		"status": r.count(&a.Status, 599), "header": r.pairs(&a.Header, "header"), "trailer": r.pairs(&a.Trailer, "trailer"),
		"body": r.text(&a.Body), "bytes": r.base64(&a.Bytes), "close": r.flag(&a.Close), "fault": r.text((*string)(&a.Fault)),
		"after": r.count(&a.After, mostCount), "latency": r.count(&a.Latency, mostCount), "rate": r.count(&a.Rate, mostCount),
		"records": func(list *value) {
			r.each(list, func(one *value) {
				record := model.DNSRecord{}
				r.object(one, "a record", fields{"type": r.text(&record.Type), "value": r.text(&record.Value)})
				a.Records = append(a.Records, record)
			})
		},
	})
	return a
}

// base64 reads bytes that are no text.
func (r *reader) base64(to *[]byte) take {
	return func(v *value) {
		data, err := base64.StdEncoding.DecodeString(v.text)
		if v.kind != isText || err != nil {
			r.fail(v, "bytes in base64 belong here, not %s", v.what())
		}
		*to = data
	}
}
