package draw_test

import (
	"testing"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

func named() draw.SeqNames {
	return draw.NewSeqNames([]*model.Operation{
		{ID: "POST /carts", Name: "openCart", Summary: "Open a cart with its first product"},
		{ID: "GET /carts/{cartId}", Name: "readCartWithAllItsLinesAndTotals"},
		{ID: "GET /health", Summary: " \x1b[31mIs it up?\x1b[0m "},
	})
}

// For an operation without a name in the current naming, its path is shown dim.
func TestOperationByNaming(t *testing.T) {
	for _, c := range []struct {
		by    draw.Naming
		op    model.OpID
		width int
		want  string
		dim   bool
	}{
		{draw.ByPath, "POST /carts", 40, "POST /carts", false},
		{draw.ByOperationID, "POST /carts", 40, "POST openCart", false},
		{draw.ByOperationID, "GET /carts/{cartId}", 20, "GET readCar…ndTotals", false},
		{draw.ByOperationID, "GET /health", 40, "GET /health", true},
		{draw.ByOperationID, "GET /elsewhere", 40, "GET /elsewhere", true},
		{draw.BySummary, "POST /carts", 20, "POST Open a cart wi…", false},
		{draw.BySummary, "GET /health", 20, "GET Is it up?", false},
		{draw.BySummary, "GET /carts/{cartId}", 17, "GET …/{cartId}", true},
		{draw.BySummary, "POST /carts", 2, "P…", false},
	} {
		line := named().In(c.by).Operation(c.op, c.width)
		if got := ansi.Strip(line.String()); got != c.want {
			t.Errorf("%s %s in %d cells: got %q, want %q", c.by, c.op, c.width, got, c.want)
		}
		if last := line[len(line)-1]; (last.Style == theme.Dim) != c.dim {
			t.Errorf("%s %s: the style is %v", c.by, c.op, last.Style)
		}
	}
}

// If no operation has an operationId, or none has a summary, Next skips this naming. Without any names, the paths are
// not drawn dim.
func TestNamingWithoutNames(t *testing.T) {
	names := draw.NewSeqNames([]*model.Operation{{ID: "GET /a", Name: "readA"}, {ID: "GET /b"}})
	if first, second := names.Next(), names.In(draw.ByOperationID).Next(); first != draw.ByOperationID || second != draw.ByPath {
		t.Errorf("the namings are %s and %s", first, second)
	}
	line := names.In(draw.BySummary).Operation("GET /a", 20)
	if line.Text() != "GET /a" || line[len(line)-1].Style == theme.Dim || names.In(draw.BySummary).Missing() != 0 {
		t.Errorf("the name is %q", line.Text())
	}
}

// If the spec names an operation, a box shows only this name. Otherwise the box shows the method and the path.
func TestBox(t *testing.T) {
	for by, want := range map[draw.Naming]string{
		draw.ByPath:        "POST /carts",
		draw.ByOperationID: "openCart",
		draw.BySummary:     "Open a…product",
	} {
		if got := named().In(by).Box("POST /carts", 14).Text(); got != want {
			t.Errorf("%s: got %q, want %q", by, got, want)
		}
	}
	if got := named().In(draw.BySummary).Box("GET /carts/{cartId}", 14).Text(); got != "GET …/{cartId}" {
		t.Errorf("without a summary: got %q", got)
	}
}

// Copies of SeqNames share the naming. A copy that In returns has a naming of its own.
func TestNaming(t *testing.T) {
	names := named()
	shared, own := names, names.In(draw.BySummary)
	for _, want := range []struct {
		naming  draw.Naming
		missing int
		text    string
	}{
		{draw.ByOperationID, 1, "openCart › GET health"},
		{draw.BySummary, 1, "Open a cart with its first product › Is it up?"},
		{draw.ByPath, 0, "POST carts › GET health"},
	} {
		names.Use(shared.Next())
		if shared.Naming() != want.naming || draw.ParseNaming(want.naming.String()) != want.naming || shared.Missing() != want.missing {
			t.Errorf("got naming %s without %d, want %s without %d", shared.Naming(), shared.Missing(), want.naming, want.missing)
		}
		seq := model.Seq{"POST /carts", "GET /health"}
		if got := shared.Text(seq); got != want.text {
			t.Errorf("%s: got %q, want %q", want.naming, got, want.text)
		}
	}
	if own.Naming() != draw.BySummary || draw.ParseNaming("colour") != draw.ByPath || (draw.SeqNames{}).Naming() != draw.ByPath {
		t.Error("a naming is not what it was set to, or an unknown one is not by path")
	}
}
