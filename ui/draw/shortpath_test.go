package draw_test

import (
	"strings"
	"testing"

	"sonde/ui/draw"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

var features = []string{
	"POST /products/{productName}/features/{featureName}",
	"POST /products/{productName}/configurations/{configurationName}/features/{featureName}",
	"PUT /products/{productName}/features/{featureName}",
	"GET /products",
}

func TestPathsTellApart(t *testing.T) {
	for width, want := range map[int][]string{
		90: {
			"/products/{productName}/features/{featureName}",
			"/products/{productName}/configurations/{configurationName}/features/{featureName}",
		},
		30: {"/products/{}/features/{}", "…/{}/features/{}"},
		22: {"/produ…/{}/features/{}", "…/conf…/{}/features/{}"},
		3:  {"…e}", "…e}"},
	} {
		p := draw.NewPathShortener(features)
		for i, w := range want {
			if got := p.Path(features[i], width); got != w {
				t.Errorf("%d cells: got %q, want %q", width, got, w)
			}
		}
	}
}

// If ShortPath would make two paths look the same, the shortener shows the part in which they differ. For these
// operations, all results are distinct.
func TestPathsShowWhatDiffers(t *testing.T) {
	ids := []string{
		"GET /api/v1/namespaces/{namespace}/podtemplates/{name}", "GET /api/v1/watch/namespaces/{namespace}/podtemplates/{name}",
		"GET /apis/policies/v1/validatingadmissionpolicies", "GET /apis/policies/v1beta1/validatingadmissionpolicies",
		"GET /apis/policies/v1/validatingadmissionpolicybindings", "PUT /watch/podtemplates/{name}",
		"PUT /orgs/{org}/actions/permissions/storage-limit", "PUT /repos/{owner}/{repo}/actions/permissions/storage-limit",
	}
	p := draw.NewPathShortener(ids)
	looks := map[string]bool{}
	for _, id := range ids {
		method, _, _ := strings.Cut(id, " ")
		line := method + " " + p.Path(id, 27)
		if looks[line] {
			t.Errorf("two operations look like %q", line)
		}
		looks[line] = true
	}
	for id, want := range map[string]string{
		"GET /api/v1/namespaces/{namespace}/podtemplates/{name}":       "…/v1/…/{}/podtemplates/{}",
		"GET /api/v1/watch/namespaces/{namespace}/podtemplates/{name}": "…/watch/…/podtemplates/{}",
		"GET /apis/policies/v1/validatingadmissionpolicies":            "…/v1/…/validatin…onpolicies",
	} {
		if got := p.Path(id, 27); got != want {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
}

// If the result of ShortPath for an operation differs from the results for all other operations, the shortener
// returns it.
func TestPathsThatAreAlone(t *testing.T) {
	p := draw.NewPathShortener(features)
	if got, want := p.Path(features[2], 22), draw.ShortPath("/products/{productName}/features/{featureName}", 22); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := p.Operation(features[2], 26).Text(), draw.OperationLine(features[2], 26).Text(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := p.Path("GET /unknown", 40), "/unknown"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A shortened path is never wider than its room. The results distinguish at least as many operations as
// those of ShortPath.
func TestPathsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(
			rapid.StringMatching(`(GET|DELETE) (/([a-c世]{1,9}|\{[ab]{1,9}\})){1,5}`), 1, 8, rapid.ID,
		).Draw(t, "ids")
		width := rapid.IntRange(1, 40).Draw(t, "width")
		p := draw.NewPathShortener(ids)
		for _, id := range ids {
			_, path, _ := strings.Cut(id, " ")
			got := p.Path(id, width)
			if ansi.StringWidth(got) > width {
				t.Fatalf("%q is wider than %d", got, width)
			}
			if ansi.StringWidth(path) <= width && got != path && !strings.Contains(got, "{}") {
				t.Fatalf("%q has room, but is %q", path, got)
			}
			if line := p.Operation(id, width); line.Width() > width {
				t.Fatalf("%q is wider than %d", line.Text(), width)
			}
		}
	})
}

// A path keeps a segment that is not a parameter if there is room for its beginning.
func TestLiteralPath(t *testing.T) {
	const path = "/apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers/{name}"
	for _, c := range []struct {
		path  string
		width int
		want  string
	}{
		{path, 100, path},
		{path, 33, "…/horizontalpodautoscalers/{name}"},
		{path, 32, "…/{}/horizontalpodautoscalers/{}"},
		{path, 20, "…/horizontalpoda…/{}"},
		{path, 10, "…/hori…/{}"},
		{path, 8, "…/{name}"},
		{"/repos/{owner}/{repo}", 18, "/repos/{}/{}"},
		{"/{owner}/{repo}", 8, "…/{repo}"},
		{"/a/customresourcedefinitions", 20, "…resourcedefinitions"},
	} {
		if got := draw.LiteralPath(c.path, c.width); got != c.want || ansi.StringWidth(got) > c.width {
			t.Errorf("%s in %d cells: got %q, want %q", c.path, c.width, got, c.want)
		}
	}
}
