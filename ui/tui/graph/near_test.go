package graph

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/openapi"
	"sonde/ui/tui/screen"
)

// parsed returns the analyzed spec of a document with some paths.
func parsed(t *testing.T, paths string) *screen.AnalyzedSpec {
	t.Helper()
	text := "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n" + paths
	spec, err := openapi.Parse(context.Background(), "-", []byte(text), openapi.Options{})
	if err != nil || len(spec.Problems) > 0 {
		t.Fatal(err, spec.Problems)
	}
	return analyze(t, spec.Operations...)
}

// get returns the lines of an operation that answers an object with some text fields.
func get(path, method, parameters, fields string) string {
	return fmt.Sprintf("  %s:\n    %s: {parameters: [%s], responses: {200: {description: ok, content: {application/json: {schema: "+
		"{type: object, properties: {%s}}}}}}}\n", path, method, parameters, fields)
}

// If a picture has no room for all neighbours of an operation, it prefers two kinds of them. The first kind creates
// or reads the elements whose ids the operation takes. The second kind takes the id of the element in the operation's
// answer. The place in the document does not matter.
func TestNearPrefersTheBestNeighbours(t *testing.T) {
	const teamID, memberID = "{name: teamId, in: path, required: true, schema: {type: string}}",
		"{name: memberId, in: path, required: true, schema: {type: string}}"
	var paths strings.Builder
	for i := range 30 {
		paths.WriteString(get(fmt.Sprintf("/a%d", i), "get", "", "teamId: {type: string}"))
	}
	for i := range 30 {
		paths.WriteString(get(fmt.Sprintf("/members/{memberId}/b%d", i), "get", memberID, "size: {type: integer}"))
	}
	paths.WriteString(get("/members/{memberId}", "get", memberID, "id: {type: string}"))
	team := "id: {type: string}, lead: {type: object, properties: {memberId: {type: string}}}"
	paths.WriteString(get("/teams/{teamId}", "get", teamID, team))
	paths.WriteString(get("/teams/{teamId}/name", "put", teamID, "size: {type: integer}"))
	paths.WriteString(get("/teams", "post", "", team))
	n := newFlowGraph(parsed(t, paths.String()), false)
	for centre, want := range map[model.OpID][]model.OpID{
		"PUT /teams/{teamId}/name": {"POST /teams"},
		"POST /teams":              {"GET /teams/{teamId}", "PUT /teams/{teamId}/name"},
	} {
		got, left := n.near(centre, 1, true)
		for _, op := range want {
			if !slices.Contains(got, op) {
				t.Errorf("%s: no %s in %q", centre, op, got)
			}
		}
		if len(got) != maxNear(1) || left < 10 {
			t.Errorf("%s: %d operations and %d left out", centre, len(got), left)
		}
		flows := n.bestFirst(centre, n.flows(got))
		for i, op := range want {
			if flows[i].from != op && flows[i].to != op {
				t.Errorf("%s: flow %d is from %s to %s, want %s", centre, i, flows[i].from, flows[i].to, op)
			}
		}
	}
}
