package depend

import (
	"testing"

	"sonde/model"
)

// follows adds links to the answer of an operation. The links lead to the operation with the ID to, and set its inputs
// by expressions.
func follows(to model.OpID, takes ...model.LinkInput) func(*model.Operation) {
	return func(o *model.Operation) {
		o.Responses = append(o.Responses, model.Response{Status: "201", Links: []model.ResponseLink{{Name: "next", Op: to, Inputs: takes}}})
	}
}

// TestDeclaredLinks checks that templates take ids from the places that the links of the document declare (section
// 5.2.7 of the EvoMaster paper).
func TestDeclaredLinks(t *testing.T) {
	job := follows("GET /outcomes/{handle}", model.LinkInput{In: model.InPath, Name: "handle", From: "$response.body#/ticket/ref"})
	for name, tt := range map[string]struct {
		ops  []*model.Operation
		of   string
		want []string
	}{
		"only the document links the operations": {
			[]*model.Operation{op("POST /jobs", job), op("GET /outcomes/{handle}")},
			"GET /outcomes/{handle}",
			[]string{"GET /outcomes/{handle}", "POST /jobs; GET /outcomes/{handle} [handle<0/ticket/ref]"},
		},
		"the source of a link has needs itself": {
			[]*model.Operation{op("POST /shops"), op("POST /shops/{id}/jobs", job), op("GET /outcomes/{handle}")},
			"GET /outcomes/{handle}",
			[]string{"GET /outcomes/{handle}", "POST /shops; POST /shops/{id}/jobs [id<0]; GET /outcomes/{handle} [handle<1/ticket/ref]"},
		},
		"the document declares where the id of the created thing is": {
			[]*model.Operation{
				op("POST /products", follows("GET /products/{id}", model.LinkInput{Name: "id", From: "$response.header.x-product"})),
				op("GET /products/{id}"),
			},
			"GET /products/{id}",
			[]string{"POST /products; GET /products/{id} [id<0X-Product]"},
		},
		"the value of a path": {
			[]*model.Operation{
				op("PUT /codes/{code}", follows("GET /uses/{of}", model.LinkInput{Name: "of", From: "$request.path.code"})),
				op("GET /uses/{of}"),
			},
			"GET /uses/{of}",
			[]string{"GET /uses/{of}", "PUT /codes/{code}; GET /uses/{of} [of=0.code]"},
		},
		"a query and a whole body": {
			[]*model.Operation{
				op("POST /pages", follows("GET /read", model.LinkInput{In: model.InQuery, Name: "cursor", From: "$response.body"})),
				op("GET /read", query("cursor")),
			},
			"GET /read",
			[]string{"GET /read", "POST /pages; GET /read [cursor<0#]"},
		},
		"links that cannot be followed": {
			[]*model.Operation{
				op("POST /pages", follows("GET /read", model.LinkInput{
					Name: "cursor",
					From: "$request.body#/cursor",
				}, model.LinkInput{Name: "other", From: "$response.body#/a"},
					model.LinkInput{Name: "cursor", From: "$url"},
					model.LinkInput{In: model.InBody, From: "$response.body"})), op("GET /read", query("cursor")),
			},
			"GET /read",
			[]string{"GET /read"},
		},
		"links in a circle": {
			[]*model.Operation{
				op("GET /a/{x}", follows("GET /b/{y}", model.LinkInput{Name: "y", From: "$response.body#/y"})),
				op("GET /b/{y}", follows("GET /a/{x}", model.LinkInput{Name: "x", From: "$response.body#/x"})),
			},
			"GET /a/{x}",
			[]string{"GET /a/{x}", "GET /b/{y}; GET /a/{x} [x<0/x]"},
		},
	} {
		t.Run(name, func(t *testing.T) { checkTemplates(t, tt.ops, tt.of, tt.want) })
	}
}

// A link of a response that is not successful is ignored.
func TestLinksOfFailures(t *testing.T) {
	failing := op("POST /jobs", follows("GET /outcomes/{handle}", model.LinkInput{Name: "handle", From: "$response.body#/ref"}))
	failing.Responses[0].Status = "409"
	checkTemplates(
		t, []*model.Operation{failing, op("GET /outcomes/{handle}")}, "GET /outcomes/{handle}",
		[]string{"GET /outcomes/{handle}"},
	)
}
