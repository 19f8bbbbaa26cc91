package draw_test

import (
	"testing"

	"sonde/model"
	"sonde/ui/draw"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

var cart = model.Seq{"POST /carts", "POST /carts/{cartId}/items", "POST /carts/{cartId}/items", "DELETE /carts/{cartId}/items/{itemId}"}

// byEnd has no operations. It therefore names the operations of a seq by the ends of their paths.
var byEnd draw.SeqNames

func TestText(t *testing.T) {
	if got, want := byEnd.Text(cart), "POST carts › POST items ×2 › DELETE items/{}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := byEnd.Text(nil); got != "" {
		t.Errorf("no call: got %q", got)
	}
}

func TestTextNamesPathsByTheirEnds(t *testing.T) {
	for id, want := range map[model.OpID]string{
		"GET /carts":                        "GET carts",
		"GET /carts/{cartId}":               "GET carts/{}",
		"GET /carts/{cartId}/items/{a}/{b}": "GET items/{}/{}",
		"GET /carts/":                       "GET carts",
		"GET /":                             "GET /",
		"GET /{id}":                         "GET /{}",
		"GET /\x1b[31mred\x1b[0m\n":         "GET red",
		"odd":                               "odd /",
	} {
		if got := byEnd.Text(model.Seq{id}); got != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
}

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{
		{60, "POST carts › POST items ×2 › DELETE items/{}"},
		{44, "POST carts › POST items ×2 › DELETE items/{}"},
		{43, "… › POST items ×2 › DELETE items/{}"},
		{30, "… › DELETE items/{}"},
		{18, "… › DELETE items/…"},
		{0, ""},
	} {
		if got := ansi.Strip(byEnd.Spans(cart, c.width).String()); got != c.want {
			t.Errorf("%d cells: got %q, want %q", c.width, got, c.want)
		}
	}
}

// A seq is never wider than its room, for any paths of a spec.
func TestSpansFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var seq model.Seq
		for _, s := range rapid.SliceOfN(rapid.StringMatching(`(GET|POST|界) /[a-z{}/世\x1b]{0,20}`), 0, 6).Draw(t, "seq") {
			seq = append(seq, model.OpID(s))
		}
		width := rapid.IntRange(0, 60).Draw(t, "width")
		if got := byEnd.Spans(seq, width).Width(); got > width {
			t.Fatalf("%d cells, want at most %d", got, width)
		}
	})
}

// Operations whose paths end alike are distinguished by more of their segments.
func TestNamesTellApart(t *testing.T) {
	var ops []*model.Operation
	for _, id := range []model.OpID{
		"GET /tracks", "GET /albums/{id}/tracks", "GET /lists/{id}/tracks", "POST /tracks",
		"GET /a/{x}/items/{y}", "GET /b/{x}/items/{y}", "GET /shops/{a}", "GET /shops/{b}", "GET /",
	} {
		ops = append(ops, &model.Operation{ID: id})
	}
	names := draw.NewSeqNames(ops)
	for id, want := range map[model.OpID]string{
		"GET /tracks":             "GET /tracks",
		"GET /albums/{id}/tracks": "GET /albums/{}/tracks",
		"GET /lists/{id}/tracks":  "GET /lists/{}/tracks",
		"POST /tracks":            "POST tracks",
		"GET /a/{x}/items/{y}":    "GET /a/{}/items/{}",
		"GET /b/{x}/items/{y}":    "GET /b/{}/items/{}",
		"GET /shops/{a}":          "GET /shops/{}", // the paths have the same segments, apart from the names of parameters
		"GET /shops/{b}":          "GET /shops/{}",
		"GET /":                   "GET /",
		"GET /else/{x}/tracks":    "GET tracks",
	} {
		if got := names.Text(model.Seq{id}); got != want {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
}
