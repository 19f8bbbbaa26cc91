package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/tui/screen"
)

// known returns the facts of an operation in a document.
func known(t *testing.T, document []byte, op model.OpID) facts {
	t.Helper()
	spec, err := openapi.Parse(context.Background(), "test.yaml", document, openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	analyzed, err := screen.AnalyzeSpec(context.Background(), spec, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	ops := map[model.OpID]*model.Operation{}
	for _, o := range spec.Operations {
		ops[o.ID] = o
	}
	return factsOf(analyzed, ops[op], ops, true)
}

// peersOf returns the neighbours of a value as text.
func peersOf(t *testing.T, all []flow, label string) string {
	t.Helper()
	i := slices.IndexFunc(all, func(f flow) bool { return f.label == label })
	if i < 0 {
		t.Fatalf("no %q in %v", label, all)
	}
	var words []string
	for _, p := range all[i].peers {
		words = append(words, strings.TrimSpace(string(p.op)+" "+all[i].via(p)))
	}
	return strings.Join(words, ", ")
}

// The operation that creates an element comes first. Operations that list or read the element follow. Operations that
// only mention the element come last.
func TestEmittersOrder(t *testing.T) {
	f := known(t, demo.Specification(), "POST /carts/{cartId}/items")
	want := "POST /products Location, GET /products, GET /products/{productId}, "
	if got := peersOf(t, f.takes, "productId"); !strings.HasPrefix(got, want) {
		t.Errorf("productId: got %s, want first %s", got, want)
	}
	want = "POST /carts Location, GET /carts/{cartId}, GET /orders/{orderId}, "
	if got := peersOf(t, f.takes, "cartId"); !strings.HasPrefix(got, want) {
		t.Errorf("cartId: got %s, want first %s", got, want)
	}
}

// GET /hooks takes the cursor that it emits itself. The keys of the map hooks in its answer are ids, which DELETE
// /hooks/{hookId} takes.
func TestCursorsAndKeys(t *testing.T) {
	document := []byte(`{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {
  /hooks: {get: {parameters: [{name: cursor, in: query, schema: {type: string}}],
    responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {nextCursor: {type: string},
      hooks: {type: object, additionalProperties: {type: object, properties: {url: {type: string}}}}}}}}}}}},
  "/hooks/{hookId}": {delete: {parameters: [{name: hookId, in: path, required: true, schema: {type: string}}],
    responses: {204: {description: gone}}}}}}`)
	f := known(t, document, "GET /hooks")
	if got, want := peersOf(t, f.takes, "cursor"), "GET /hooks nextCursor"; got != want {
		t.Errorf("cursor: got %s, want %s", got, want)
	}
	if got, want := peersOf(t, f.emits, "nextCursor"), "GET /hooks cursor"; got != want {
		t.Errorf("nextCursor: got %s, want %s", got, want)
	}
	if got, want := peersOf(t, f.emits, "hookId"), "DELETE /hooks/{hookId}"; got != want {
		t.Errorf("hookId: got %s, want %s", got, want)
	}
}

// Operations that only share an attribute with an operation are its copies, not its peers.
func TestCopiesOfAttributes(t *testing.T) {
	f := known(t, demo.Specification(), "GET /products")
	i := slices.IndexFunc(f.takes, func(f flow) bool { return f.label == "category" })
	want := []peer{{op: "GET /products/{productId}", isCopy: true}, {op: "POST /products", isCopy: true}}
	if got := f.takes[i]; got.peers != nil || !slices.Equal(got.copies, want) {
		t.Errorf("category: got %v and copies %v, want only copies %v", got.peers, got.copies, want)
	}
	for _, fl := range slices.Concat(f.takes, f.emits) {
		for _, p := range fl.copies {
			if slices.ContainsFunc(fl.peers, func(o peer) bool { return o.op == p.op }) {
				t.Errorf("%s: %s is a peer and a copy", fl.label, p.op)
			}
		}
	}
}

// A value that is both in a header and in the body is listed once, with the evidence of both.
func TestLocationIsJoinedWithTheBody(t *testing.T) {
	f := known(t, demo.Specification(), "POST /carts")
	var got []string
	for _, fl := range f.emits {
		if fl.use.ID == "cart.id" {
			got = append(got, fmt.Sprint(fl.label, " | ", fl.kinds(), " | ", fl.about().Text()))
		}
	}
	want := []string{"cartId | uuid, Location | cartId is cart.id (identifier): cartId of Cart; Location leads to /carts/{cartId}"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	takers := "GET /carts/{cartId}, POST /carts/{cartId}/items, " +
		"DELETE /carts/{cartId}/items/{itemId}, POST /orders"
	if got := peersOf(t, f.emits, "cartId"); got != takers {
		t.Errorf("cartId goes to %s", got)
	}
}

// boxes is an API with boxes and lids. Its answers do not declare the ids of new elements. Both boxes and lids have a
// "size".
const boxes = `{"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {
	"/boxes": {"post": {
		"requestBody": {"required": true, "content": {
			"application/json": {"schema": {"$ref": "#/components/schemas/Box"}}}},
		"responses": {"201": {"description": "done"}}}},
	"/boxes/{boxId}": {
		"parameters": [{"name": "boxId", "in": "path", "required": true, "schema": {"type": "string"}}],
		"get": {"responses": {"200": {"description": "it", "content": {
			"application/json": {"schema": {"$ref": "#/components/schemas/Box"}}}}}},
		"delete": {"responses": {"204": {"description": "gone"}}}}},
	"components": {"schemas": {
		"Box": {"type": "object", "required": ["colour"], "properties": {
			"note": {"type": "string", "writeOnly": true}, "colour": {"type": "string", "writeOnly": true},
			"size": {"type": "integer"}, "lid": {"$ref": "#/components/schemas/Lid"}}},
		"Lid": {"type": "object", "properties": {"size": {"type": "integer"}}}}}}`

func TestIDsThatNoAnswerDeclares(t *testing.T) {
	f := known(t, []byte(boxes), "POST /boxes")
	if got, want := peersOf(t, f.emits, "its id"), "GET /boxes/{boxId}, DELETE /boxes/{boxId}"; got != want {
		t.Errorf("its id goes to %s, want %s", got, want)
	}
	f = known(t, []byte(boxes), "DELETE /boxes/{boxId}")
	if got, want := peersOf(t, f.takes, "boxId"), "POST /boxes its id"; got != want {
		t.Errorf("boxId comes from %s, want %s", got, want)
	}
	for _, fl := range known(t, demo.Specification(), "POST /orders").emits {
		if fl.use.Name == undeclaredName {
			t.Errorf("the answer declares the id, and %q is listed as undeclared", fl.use.ID)
		}
	}
}

// Values that link operations come first, then required values, then the rest. Values with the
// same name are labelled with their resource.
func TestValuesOrder(t *testing.T) {
	var got []string
	for _, fl := range known(t, []byte(boxes), "POST /boxes").takes {
		got = append(got, fl.label)
	}
	if want := []string{"colour", "note", "box.size", "lid.size"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The unfolded rows of a table of values fit on a screen. Ids have more unfolded neighbours than other values.
func TestFlowsFold(t *testing.T) {
	many := func(n int) (peers []peer) {
		for i := range n {
			peers = append(peers, peer{op: model.OpID(fmt.Sprint("GET /", i))})
		}
		return peers
	}
	of := func(name string) match.ValueUse { return match.ValueUse{ID: name, Value: model.Value{Name: name}} }
	all := []flow{{use: of("a"), refers: true, peers: many(10)}, {use: of("b"), peers: many(10)}}
	for i := range 20 {
		all = append(all, flow{label: fmt.Sprint("given", i)})
	}
	written := func(folds map[string]bool) []row {
		b := &pageWriter{width: 80, folds: folds}
		b.flows(flowTable{title: "Takes", direction: "from", none: "given", columns: columnsFor(80, all)}, all)
		return b.rows
	}
	rows := written(map[string]bool{})
	if len(rows) != 2+4+2+6+1 {
		t.Errorf("folded: %d rows, want a head of 2, 4 of the id, 2 of the other value, 6 more and the fold", len(rows))
	}
	for fold, more := range map[string]int{rows[5].fold: 7, rows[7].fold: 9, rows[14].fold: 14} {
		if got := len(written(map[string]bool{fold: true})); fold == "" || got != len(rows)+more {
			t.Errorf("%q unfolded: %d rows, want %d", fold, got, len(rows)+more)
		}
	}
}

// guarded is a service with a log-in.
const guarded = `
openapi: 3.0.0
info: {title: Guarded, version: "1"}
components: {securitySchemes: {bearerAuth: {type: http, scheme: bearer}}}
security: [{bearerAuth: []}]
paths:
  /login:
    post:
      security: []
      responses: {"200": {description: ok, content: {application/json: {schema: {type: object, properties: {token: {type: string}}}}}}}
  /items: {get: {responses: {"200": {description: ok}}}, post: {responses: {"201": {description: ok}}}}
`

// A log-in gives a credential to the operations that need it, with the evidence.
func TestCredentialsComeFromTheLogIn(t *testing.T) {
	f := known(t, []byte(guarded), "GET /items")
	if got := peersOf(t, f.takes, "bearerAuth"); got != "POST /login token" {
		t.Errorf("the credential comes from %q", got)
	}
	if about := f.takes[0].about().String(); !strings.Contains(about, "credential bearerAuth") ||
		!strings.Contains(about, "looks like a log-in") {
		t.Errorf("about it: %q", about)
	}
	f = known(t, []byte(guarded), "POST /login")
	if got := peersOf(t, f.emits, "token"); got != "GET /items, POST /items" {
		t.Errorf("the credential goes to %q", got)
	}
}
