package depend_test

import (
	"fmt"
	"strings"
	"testing"

	"sonde/analysis/depend"
	"sonde/model"
)

// plainTemplatesOf returns the templates of the last operation. Each is written as "weight: step > step", with the
// links of each step.
func plainTemplatesOf(ops ...string) []string {
	var list []*model.Operation
	for _, op := range ops {
		method, path, _ := strings.Cut(op, " ")
		list = append(list, &model.Operation{ID: model.OpID(op), Method: method, Path: path})
	}
	var all []string
	for _, t := range depend.PlainTemplates(list) {
		if t.Target() == list[len(list)-1].ID {
			all = append(all, printPlain(t))
		}
	}
	return all
}

func printPlain(t model.Template) string {
	var steps []string
	for i, s := range t.Steps {
		text := string(s.Op)
		if s.Min != 1 || s.Max != 1 {
			text += fmt.Sprintf(" ×%d-%d", s.Min, s.Max)
		}
		for _, l := range t.Links {
			if l.To == i {
				text += fmt.Sprintf(" [%s=%d.%s]", l.Name, l.From, l.Param)
			}
		}
		steps = append(steps, text)
	}
	return fmt.Sprintf("%v: %s", t.Weight, strings.Join(steps, " > "))
}

// The templates are those of the examples in section 5.2 of the EvoMaster paper.
func TestPlainTemplates(t *testing.T) {
	for name, c := range map[string]struct{ ops, want []string }{
		"5.2.1 collection":         {[]string{"POST /p", "GET /p"}, []string{"1: POST /p ×1-3 > GET /p"}},
		"5.2.1 collection, PUT":    {[]string{"PUT /p", "GET /p"}, []string{"1: PUT /p > GET /p"}},
		"5.2.1 nothing creates it": {[]string{"GET /p"}, []string{"1: GET /p"}},
		"5.2.1 element":            {[]string{"POST /p", "GET /p/{id}"}, []string{"1: POST /p > GET /p/{id} [id=0.]"}},
		"5.2.1 creation on it":     {[]string{"PUT /p/{id}", "GET /p/{id}"}, []string{"1: PUT /p/{id} > GET /p/{id} [id=0.id]"}},
		"5.2.3 PUT or POST": {
			[]string{"POST /p", "PUT /p/{id}", "GET /p/{id}"},
			[]string{"0.8: POST /p > GET /p/{id} [id=0.]", "0.2: PUT /p/{id} > GET /p/{id} [id=0.id]"},
		},
		"5.2.6 PUT or POST": {
			[]string{"POST /p", "PUT /p/{id}", "GET /p/{id}/price"},
			[]string{"1: POST /p > GET /p/{id}/price [id=0.]"},
		},
		"5.2.2": {[]string{"POST /p"}, []string{"1: POST /p"}},
		"5.2.3": {
			[]string{"POST /p", "PUT /p/{id}"},
			[]string{"0.2: PUT /p/{id}", "0.8: POST /p > PUT /p/{id} [id=0.]"},
		},
		"5.2.3 nothing creates it": {[]string{"PUT /p/{id}"}, []string{"1: PUT /p/{id}"}},
		"5.2.4": {
			[]string{"POST /p", "PATCH /p/{id}"},
			[]string{"0.5: POST /p > PATCH /p/{id} [id=0.]", "0.5: POST /p > PATCH /p/{id} [id=0.] > PATCH /p/{id} [id=0.]"},
		},
		"5.2.4 nothing creates it": {
			[]string{"PATCH /p/{id}"},
			[]string{"0.5: PATCH /p/{id}", "0.5: PATCH /p/{id} > PATCH /p/{id} [id=0.id]"},
		},
		"a POST on an element that is a collection": {
			[]string{"PUT /{db}", "POST /{db}", "GET /{db}/{doc}"},
			[]string{"1: PUT /{db} > POST /{db} [db=0.db] > GET /{db}/{doc} [db=0.db] [doc=1.]"},
		},
		"nothing creates the collection": {
			[]string{"POST /a/{x}", "GET /a/{x}/{y}"}, []string{"1: POST /a/{x} > GET /a/{x}/{y} [x=0.x] [y=0.]"},
		},
		"a parameter in a segment": {
			[]string{"POST /v{ver}/p", "GET /v{ver}/p/{id}"}, []string{"1: POST /v{ver}/p > GET /v{ver}/p/{id} [ver=0.ver] [id=0.]"},
		},
		"two ids of the service": {[]string{"POST /p", "GET /p/{a}-{b}"}, []string{"1: POST /p > GET /p/{a}-{b} [a=0.] [b=0.]"}},
		"5.2.5":                  {[]string{"POST /p", "DELETE /p/{id}"}, []string{"1: POST /p > DELETE /p/{id} [id=0.]"}},
		"5.2.6 constant":         {[]string{"POST /p", "GET /p/{id}/price"}, []string{"1: POST /p > GET /p/{id}/price [id=0.]"}},
		"5.2.6 two": {
			[]string{"POST /p", "POST /p/{pid}/s", "GET /p/{pid}/s/{sid}"},
			[]string{"1: POST /p > POST /p/{pid}/s [pid=0.] > GET /p/{pid}/s/{sid} [pid=0.] [sid=1.]"},
		},
		"5.2.7 chosen ids": {
			[]string{"POST /p/{pid}", "POST /p/{id}/s/{sid}", "GET /p/{pid}/s/{sid}"},
			[]string{"1: POST /p/{pid} > POST /p/{id}/s/{sid} [id=0.pid] > GET /p/{pid}/s/{sid} [pid=0.pid] [sid=1.sid]"},
		},
		"an ancestor creates another element": {
			[]string{"POST /p", "GET /p/{pid}/s/{sid}"},
			[]string{"1: POST /p > GET /p/{pid}/s/{sid} [pid=0.]"},
		},
		"a DELETE of a constant": {
			[]string{"POST /p", "POST /p/{id}/s", "DELETE /p/{id}/s/all"},
			[]string{"1: POST /p > POST /p/{id}/s [id=0.] > DELETE /p/{id}/s/all [id=0.]"},
		},
		"a collection in an element": {
			[]string{"POST /p", "POST /p/{id}/s", "GET /p/{id}/s"},
			[]string{"1: POST /p > POST /p/{id}/s ×1-3 [id=0.] > GET /p/{id}/s [id=0.]"},
		},
		"two parameters in a segment": {
			[]string{"PUT /p/{a}-{b}", "DELETE /p/{c}-{d}"},
			[]string{"1: PUT /p/{a}-{b} > DELETE /p/{c}-{d} [c=0.a] [d=0.b]"},
		},
		"the names of values do not matter": {
			[]string{"POST /product", "GET /stock/{productId}"},
			[]string{"1: GET /stock/{productId}"},
		},
	} {
		if got := plainTemplatesOf(c.ops...); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}

// Even for a very deep path, a template has no more calls than a random test.
func TestPlainTemplateOfDeepPath(t *testing.T) {
	var ops []string
	path := ""
	for i := range 40 {
		path += fmt.Sprintf("/r%d", i)
		ops = append(ops, "POST "+path)
		path += fmt.Sprintf("/{id%d}", i)
	}
	got := plainTemplatesOf(append(ops, "GET "+path)...)
	if len(got) != 1 || strings.Count(got[0], ">") > 9 || !strings.Contains(got[0], "> GET /r0") {
		t.Errorf("got %q", got)
	}
}
