package tui

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// The user goes from an operation to the operations that it depends on, and back.
func TestExploreWalksAlongValues(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press(orders...).sees(t, "╭─ POST /orders ─")
	d.press("enter").sees(
		t, "▸ ● cartId       body   uuid                  POST /carts  Location",
		" cartId is cart.id (reference): cartId names a cart",
	)
	d.press("enter").sees(t, "╭─ POST /carts ─")
	d.press("backspace").sees(t, "╭─ POST /orders ─")
	d.press("backspace").sees(t, "this is where you started")
	d.size(120, 60).click(t, "placedBy").sees(
		t, "no other operation has this value", "▸   placedBy", " placedBy is order.placedBy (attribute): placedBy of Order",
	)
	d.press("down").sees(t, "orderStatus is order.orderStatus (attribute): orderStatus of Order")
}

func TestExploreFilter(t *testing.T) {
	d := open(shop(), nil).press("/").write("cart item")
	d.sees(t, "2 of 28").misses(t, "/health")
	d.sees(t, "╭─ DELETE /carts/{cartId}/items/{itemId} ─").press("enter", "down").sees(t, "╭─ POST /carts/{cartId}/items ─")
	d.press("esc").sees(t, "28 of 28", "╭─ POST /carts/{cartId}/items ─", "▸  POST   /carts/{cartId}/items")
	d.press("/").write("zzz").sees(t, "nothing fits", "0 of 28")
	d.press("q", "1", "?").sees(t, "/ zzzq1?") // a text field gets every key
	d.press("esc").sees(t, "28 of 28")
}

// A filter matches by facts and explains an unknown fact. If no name matches, it matches by values.
func TestFilterByFacts(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press("/").write("method:post value:cart_id in:body")
	d.sees(t, "1 of 28", "╭─ POST /orders ─").press("enter", "esc").sees(t, "28 of 28", "▸  POST   /orders")
	d.press("/").write("colour:red").sees(t, "28 of 28", `no fact "colour"; there are method:`, "deprecated secured", "POST   /orders")
	d.click(t, "▾ products").sees(t, "▸ products") // the click hits the row that is drawn there
	d.press("/", "esc", "/").write("group:one").sees(t, "group: takes a group's number").press("esc").misses(t, "takes a group's number")
	d.press("/").write("quantity").sees(t, "1 of 28, 3 by value", "▸ 3 more by value").misses(t, "/health", "carts · by value")
	d.press("enter", "end", "enter").sees(t, "▾ 3 more by value", "▾ carts · by value").misses(t, "/health")
	d.press(" ").sees(t, "▸▸ 3 more by value").press("right", "right", "down").sees(t, "▸  POST   /carts ").press("/")
	d.press("esc", "/").write("status:404 !secured tag:stock").sees(t, "2 of 28").press("esc")
}

// During a search, a filter by status matches the statuses of answers, and the list is updated.
func TestFilterByStatusFollowsTheRun(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press("/").write("status:5xx").sees(t, "2 of 28", "/sync").press("enter")
	d.send(halfway).sees(t, "1 of 28", "POST   /orders")
	d.press("2").press("/").write("status:404").sees(t, "Groups 1 of 5", "› PATCH /orders/{orderId}", "1 of 49")
}

// On Groups, operations that match only by value are folded below the others.
func TestGroupsFilterByValue(t *testing.T) {
	d := open(shop(), nil).size(120, 40).press("2", "/").write("quantity").press("enter")
	d.sees(t, "▸ 3 more by value").press("enter", "end", "enter").sees(t, "▾ 3 more by value", "  POST /carts/{cartId}/items")
	d.press(" ").sees(t, "▸ 3 more by value").press("/").write("quantities").misses(t, "more by value")
}

func TestGroupsFilter(t *testing.T) {
	d := open(shop(), nil).size(120, 40).press("2", "/").write("customer")
	d.sees(t, "Groups 1 of 5", "8 of 10").press("enter", "esc").misses(t, "of 5")
	d.press("/").write("value:customerid").sees(t, "Groups 1 of 5", "4 of 10", "› POST /customers")
	d.press("enter", "enter", "end", "enter").sees(t, "Why customer.id is one value")
	d.send(screen.OperationSelected{Op: "GET /health"}).sees(t, "› GET /health").misses(t, "value:customerid") // the filter hid this row
	d.press("/").write("colour:red").sees(t, `no fact "colour"`).press("q", "1", "?").sees(t, "/ colour:redq1?")
	d.press("esc", "/").write("zzz").sees(
		t, "nothing fits; esc clears",
	).press("enter", "enter", "v", "g", "d", "t", "down", "x").sees(t, "nothing fits")
	d.press("esc").misses(t, "nothing fits").click(t, "/ filter").write("health").sees(t, "Groups 1 of 5")
}

func TestSeqsFilter(t *testing.T) {
	d := open(shop(), nil).size(120, 40).press("4").sees(t, "Seqs 226").press("/").write("tag:coupons method:put")
	d.sees(t, " of 226", "PUT /coupons/{}").misses(t, "GET /products")
	d.press("esc", "/").write("quantity").sees(t, "POST /carts").misses(t, "GET /health") // no name has the word
	d.press("esc", "/").write("origin:search").sees(t, "nothing fits")
	d.press("esc", "/").write("colour:red").sees(
		t, "Seqs 226", "secured origin:",
	).click(t, "GET /products").sees(t, "▸   GET /products")
}

// S shows the seqs of the item under the cursor, and esc shows the seqs of the whole API.
func TestSeqsOf(t *testing.T) {
	d := open(shop(), nil).size(120, 40).press(orders...).press("S").sees(t, "▸4 Seqs", " in POST /orders", "esc whole API")
	d.press("esc").sees(t, "Seqs 226").misses(t, "whole API")
	d.press("2", "down", "S").sees(t, " in group 2 ", "POST /customers").misses(t, "GET /products")
	d.press("2", "enter", "S").sees(t, "▸4 Seqs", " in POST /customers").press("esc")
	d.press("3", "S").sees(t, "▸4 Seqs", "esc whole API")
}

func TestExploreFolds(t *testing.T) {
	d := open(shop(), nil).size(120, 48).sees(t, "▸ carts").misses(t, "POST   /carts")
	d.press(":").sees(t, "▾ carts", "POST   /carts")
	d.press(":").sees(t, "▸ carts").misses(t, "POST   /carts")
	d.press("down", "down", "down", "enter").sees(t, "▾ carts", "POST   /carts")
	d.press("left").sees(t, "▸ carts").press("right").sees(t, "▾ carts").press(" ").sees(t, "▸ carts")
}

func TestExploreUnfoldsSchemas(t *testing.T) {
	d := open(shop(), nil).size(160, 60).press(orders...).press("v", "end")
	d.misses(t, "● postcode  integer")
	d.click(t, "▸ ● address   Address").sees(t, "● postcode  integer")
	d.click(t, "▾ ● address   Address").misses(t, "● postcode  integer")
}

func TestExploreByMouse(t *testing.T) {
	d := open(shop(), nil)
	d.click(t, "POST   /products").sees(t, "╭─ POST /products ─")
	d.click(t, "▸ carts").click(t, "POST   /carts").sees(t, "╭─ POST /carts ─")
	d.click(t, "/ filter").write("health").sees(t, "1 of 28")
}

func TestSeen(t *testing.T) {
	d := open(shop(), nil).size(120, 48).press(orders...).sees(t, "not called yet")
	d.send(halfway).sees(t, "✓ 201 ×14   △ 400 ×31   ✗ 500 ×2", "✗ 500 the parcels do not fit", "POST   /orders  ✗ 500×2 201×14 400×31")
}

// Key ⏎ shows what is in a line of a page: for answers, those of the operation in the search; for a parameter or a
// property, where its values come from or go; for a text, the next line with something to show.
func TestEnterOnAPage(t *testing.T) {
	d := open(shop(), nil).size(120, 60).press(orders...).send(halfway).press("enter")
	d.click(t, "✓ 201 ×14").sees(t, "▸5 Search", "▸ ✗ 500 POST")

	d = open(shop(), nil).size(120, 60).press(orders...).press("enter", "home").sees(t, "⏎ next link")
	d.press("enter").sees(t, "▸ ● cartId       body", "⏎ go to it")

	d.press("end").click(t, "● cartId       uuid").sees(t, "▸   cartId       answer uuid") // a property of the answer
	d.press("end").click(t, "● Location").sees(t, "▸   orderId      answer integer ≥ 1, Location")
	d.press("end").click(t, "● totalCents").sees(t, "▸   totalCents   answer") // the table was folded
	d.press("end").click(t, "▸ ● parcels").sees(t, "▾ ● parcels")
}

// Explore, Groups and Graph show the same operation.
func TestScreensFollowEachOther(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press(orders...)
	d.press("3").sees(t, "◆ POST /orders")
	d.press("left", "enter").sees(t, "◆ POST /carts")
	d.press("1").sees(t, "╭─ POST /carts ─")
	d.press("G").sees(t, tabs[1], "› POST /carts")
	d.press("enter", "down", "enter").sees(t, tabs[0], "╭─ GET /carts/{cartId} ─")
	d.press("backspace").sees(t, "╭─ POST /carts ─")
	d.send(screen.OperationSelected{Op: "GET /health"}).sees(t, "╭─ GET /health ─")
	d.send(screen.OperationSelected{Op: "GET /nowhere"}).sees(t, "╭─ GET /health ─")
}

func TestGraph(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press(orders...).press("g").sees(t, "within 1 hop, ids only", "6 operations, 3 left out")
	d.press("a").sees(t, "within 1 hop ", "9 operations").press("a").sees(t, "ids only")
	d.press("+").sees(t, "within 2 hops, ids only", "11 operations").press("-").sees(t, "within 1 hop")
	d.press("right", "e").sees(t, tabs[0]).press("3", "backspace").sees(t, "◆ POST /orders")
	d.press("enter").sees(t, tabs[0], "╭─ POST /orders ─")
	d.press("3", "t").sees(t, "▸ ◆ POST /orders", "← POST /carts  cart.id")
	d.press("down", "enter").sees(t, "▸ ◆ POST /carts")
	d.press("t").sees(t, "┃ ◆ POST /carts ┠─ cart.id ─").click(t, "GET /carts/{c").sees(t, "╭─ GET /carts/{cartId} ─")
	d.press("t", "t").click(t, "◆ POST /carts").click(t, "◆ POST /carts").sees(t, tabs[0])
	open(&model.Spec{}, nil).press("3").sees(t, "no operations to draw")
}

func TestGroups(t *testing.T) {
	d := open(shop(), nil).size(120, 40).press("2").sees(t, "DC 1.00 SC 1.80", "Seqs by DC  214", "20 operations, 29 exchanged")
	d.press("d").sees(t, "Seqs by SC").press("d").sees(t, "Seqs by DC")
	d.press("down").sees(t, "2  customers", "POST /customers")
	d.press("s").sees(t, "the groups by number").press("s").sees(t, "the largest groups first")
	d.press("enter", "end").sees(t, "Why customer.", "5 places").press("enter", "home", "g").sees(t, tabs[2], "◆ POST /customers")
	open(&model.Spec{}, nil).press("2").sees(t, "no operations")
}

// The seqs of large groups are counted up to a limit, and only for visible groups.
func TestGroupsGiveUpCounting(t *testing.T) {
	d := open(large(1000), nil).size(120, 40).press("2").sees(t, "2,001+")
	if got := d.app.screens.all[screen.TabGroups].TabBadge(); !strings.HasSuffix(got, " areas") {
		t.Errorf("the tab says %q, want the number of areas", got)
	}
}

// Two keys in quick succession arrive as one message. Each of them has its effect.
func TestBurstsOfKeys(t *testing.T) {
	d := open(shop(), nil)
	burst := func(keys string) { d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(keys)}) }
	burst("23")
	if d.app.screens.tab != screen.TabGraph {
		t.Errorf("after 23 screen %d is on show", d.app.screens.tab)
	}
	burst("1/cart")
	if d.app.screens.tab != screen.TabExplore || !strings.Contains(d.app.View(), "cart") || !d.app.typing() {
		t.Errorf("after 1/cart screen %d is on show:\n%s", d.app.screens.tab, d.app.View())
	}
}

// A burst of keys may spell the name of a key. Every text field takes it as text.
func TestBurstNamedLikeKey(t *testing.T) {
	fields := map[string][]string{
		"filter of Explore": {"1", "/"},
		"filter of Groups":  {"2", "/"},
		"filter of Graph":   {"3", "/"},
		"filter of Seqs":    {"4", "/"},
		"palette":           {"ctrl+p"},
		"help":              {"?", "x", "backspace"},
		"picture's name":    {"3", "x"},
	}
	for name, keys := range fields {
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{"delete", "home", "end", "up", "enter", "tab", "esc", "ctrl+c"} {
				d := open(shop(), nil).size(120, 40).press(keys...)
				d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)}).sees(t, text)
				if d.quit || d.app.overlay == nil && !d.app.typing() {
					t.Errorf("%q was a key", text)
				}
				d.press("backspace").send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("ZQ")}).sees(t, text[:len(text)-1]+"ZQ")
			}
		})
	}
}
