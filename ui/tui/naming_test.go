package tui

import (
	"testing"
	"time"

	"sonde/ui/app/userdata"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// Key i changes the naming of operations on all screens. Titles always have the path.
func TestNaming(t *testing.T) {
	d := open(shop(), nil).size(120, 36).send(halfway)
	d.sees(t, " i names: path ").press("i").sees(t, "operations by operationId", "POST   createProduct", "╭─ Operations · i: operationId ─")
	d.press("down").sees(t, " i names: operationId ").press("up")
	d.press("?").write("operationid").sees(t, "operations by path, operationId, summary").press("esc")
	d.press("ctrl+p").write("operationid").sees(t, "▸ operations by path, operationId, summary").press("esc")
	d.press("/").write("POST /carts/{cartId}/items").press("enter")
	d.sees(t, "▸  POST   addItem", "╭─ POST /carts/{cartId}/items ─", "POST createCart  Location")
	d.press("p").sees(t, "╭─ Paths to POST /carts/{cartId}/items · p leaves ─", "2 POST createCart")
	d.press("p", "I").sees(t, "╭─ Impact of POST /carts/{cartId}/items · I leaves ─", "Impact: POST /carts/{cartId}/items")
	d.press("I", "esc", "esc")
	d.press("2").sees(t, "POST createCart").press("m").sees(t, "POST createCart").press("m")
	d.press("3").sees(t, "addItem", "createCart")
	d.press("4").sees(t, "listProducts › createProduct", "″ › getProduct")
	d.press("5").sees(t, "POST   createProduct")
	d.press("i", "1").sees(t, "POST   Take a product into the").press("i").sees(t, "POST   /products ", "operations by path")
	d.press("/", "i").sees(t, "/ i", "POST   /products ")
}

// An operation without a name is shown by its path. A message says how many such operations there are.
func TestNamingWithoutNames(t *testing.T) {
	spec := large(40)
	for _, op := range spec.Operations[1:] {
		op.Summary = ""
	}
	spec.Operations[0].Summary = "The first of all"
	open(spec, nil).size(120, 36).press("i").sees(t, "operations by summary; 39 without one by path", "The first of all")
	spec.Operations[0].Summary = ""
	open(spec, nil).misses(t, "names: path").press("i").sees(t, "the document names operations only by their paths")
}

// The naming is stored with the spec. It is not stored if it is the naming in the preferences.
func TestNamingIsRemembered(t *testing.T) {
	begin := func(prefs screen.Preferences) *driver {
		d := &driver{app: newApp(t.Context(), engine(shop(), nil), local, prefs, "shop.yaml")}
		d.app.status.duration = time.Nanosecond
		d.size(120, 36)
		return d.openDemo()
	}
	d := begin(screen.Preferences{Names: draw.BySummary}).sees(t, "Take a product into")
	if got := d.app.place().Names; got != "" {
		t.Errorf("the place has the naming %q of the preferences", got)
	}
	place := d.press("i").app.place()
	if place.Names != "path" {
		t.Errorf("the place has the naming %q, want path", place.Names)
	}
	begin(screen.Preferences{Names: draw.BySummary, Place: place}).misses(t, "Take a product into")
	begin(screen.Preferences{Place: userdata.Place{Names: "operationId"}}).sees(t, "createProduct")
}
