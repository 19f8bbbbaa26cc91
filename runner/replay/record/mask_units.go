package record

import (
	"net/http"

	"sonde/assets/probe/sondevalue"
)

// MaskInvocation masks the secrets in an invocation of a function, by the names of fields and the forms of texts. A secret
// of an exchange gets the same pseudonym.
func (m *Monitor) MaskInvocation(i *sondevalue.Invocation) {
	u := unitMasker{m.masker}
	u.state(&i.Before)
	u.state(&i.After)
	u.values("", i.Results)
	for c := range i.Calls {
		call := &i.Calls[c]
		u.values("", call.Args)
		u.values("", call.Results)
		u.objects(call.Objects, nil)
		u.objects(call.Written, nil)
	}
}

// unitMasker masks recorded values.
type unitMasker struct{ *masker }

func (u unitMasker) state(s *sondevalue.State) {
	if s.Receiver != nil {
		u.mask("", s.Receiver)
	}
	headers := u.headers(s)
	u.values("", s.Args)
	u.objects(s.Objects, headers)
}

// objects masks what values refer to, except what is masked already.
func (u unitMasker) objects(all map[int]sondevalue.Value, except map[int]bool) {
	for n, v := range all {
		if !except[n] {
			u.mask("", &v)
			all[n] = v
		}
	}
}

func (u unitMasker) values(name string, all []sondevalue.Value) {
	for i := range all {
		u.mask(name, &all[i])
	}
}

// mask masks a value that has a name, such as that of its field.
func (u unitMasker) mask(name string, v *sondevalue.Value) {
	switch v.Kind {
	case sondevalue.String, sondevalue.Error, sondevalue.Marshal:
		v.Text = u.value(name, v.Text)
	case sondevalue.Scalar:
		v.Text = u.number(name, v.Text)
	}
	if len(v.Bytes) > 0 {
		v.Bytes = u.body(v.Bytes, http.Header{})
	}
	u.values(name, v.Elems)
	for i := range v.Fields {
		f := &v.Fields[i]
		if f.Name == "RawQuery" {
			f.Value.Text = u.pairs(f.Value.Text)
		} else {
			u.mask(f.Name, &f.Value)
		}
	}
	for i := range v.Entries {
		e := &v.Entries[i]
		u.mask("", &e.Key)
		u.mask(e.Key.Text, &e.Value)
	}
}

// headers masks the values of the headers of requests. It returns the objects that have them.
func (u unitMasker) headers(s *sondevalue.State) map[int]bool {
	masked := map[int]bool{}
	for _, v := range s.Args {
		if v.Kind != sondevalue.Request {
			continue
		}
		for _, f := range v.Fields {
			if f.Name != "Header" {
				continue
			}
			for _, e := range s.Objects[f.Value.Ref].Entries {
				masked[e.Value.Ref] = true
				list := s.Objects[e.Value.Ref]
				for i := range list.Elems {
					list.Elems[i].Text = u.headerValue(e.Key.Text, list.Elems[i].Text)
				}
			}
		}
	}
	return masked
}
