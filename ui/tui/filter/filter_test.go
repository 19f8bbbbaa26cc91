package filter

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"sonde/analysis/valuegroup"
	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// shop is the demo's spec and its index.
var shop = sync.OnceValues(func() (*model.Spec, *Index) {
	spec, err := openapi.Parse(context.Background(), "shop.yaml", demo.Specification(), openapi.Options{})
	if err != nil {
		panic(err)
	}
	return spec, indexOf(spec)
})

func indexOf(spec *model.Spec) *Index {
	m := match.New(spec.Operations, match.DefaultMode)
	groupOf := map[model.OpID]int{}
	for i, g := range valuegroup.FindGroups(m.ValuesTable(spec.Operations)) {
		for _, op := range g.Operations {
			groupOf[op] = i
		}
	}
	x := NewIndex(spec)
	x.AddAnalysis(spec, m, groupOf)
	return x
}

// answers has, for three operations, the statuses of their answers in a run.
var answers = map[model.OpID][]string{"POST /orders": {"201", "500"}, "GET /products": {"200"}, "GET /health": {"404"}}

// fitting returns the operations of the shop that match a filter with rank least or a higher rank.
func fitting(text string, least MatchRank) []string {
	spec, index := shop()
	f := Parse(text, index)
	var out []string
	for _, op := range spec.Operations {
		if f.Match(Row{Operations: []model.OpID{op.ID}, Statuses: answers[op.ID]}) >= least {
			out = append(out, string(op.ID))
		}
	}
	return out
}

func TestFit(t *testing.T) {
	for text, want := range map[string]string{
		"health":                            "GET /health",
		"cart item":                         "POST /carts/{cartId}/items, DELETE /carts/{cartId}/items/{itemId}",
		"HEALTH":                            "GET /health",
		"ordpay":                            "POST /orders/{orderId}/payments, GET /orders/{orderId}/payments/{paymentId}",
		"moveorder":                         "PATCH /orders/{orderId}",
		`"POST /orders"`:                    "POST /orders, POST /orders/{orderId}/payments",
		`"ordpay"`:                          "",
		"tag:coupons":                       "GET /coupons/{code}, PUT /coupons/{code}",
		"tag:coupons !put":                  "GET /coupons/{code}",
		"method:delete":                     "DELETE /products/{productId}, DELETE /carts/{cartId}/items/{itemId}",
		"method:pat !path:orders":           "PATCH /customers/{customerId}",
		"path:health,sync":                  "POST /stock/{sku}/sync, GET /health",
		"group:2":                           "POST /customers, GET /customers/{customerId}, PATCH /customers/{customerId}",
		"group:2 !group:2":                  "",
		"status:5xx":                        "POST /orders",
		"status:404,500":                    "POST /orders, GET /health",
		"status:2 !status:5":                "GET /products",
		"schema:order !method:get":          "POST /orders, PATCH /orders/{orderId}",
		"value:cart_id in:body":             "POST /orders",
		"value:cartid !in:path method:post": "POST /carts, POST /orders",
		"in:query tag:stores":               "GET /stores, GET /stores/{storeId}/hours",
		"unused":                            "GET /health",
		"value:total unused method:post":    "POST /carts, POST /orders",
		"secured tag:coupons":               "PUT /coupons/{code}",
		"deprecated":                        "",
		"no:such method:trace":              "",
	} {
		if got := strings.Join(fitting(text, NameMatch), ", "); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// A word that is in no name is searched for in values and schemas. A negated word is searched for in names only.
func TestFitWithin(t *testing.T) {
	near, all := fitting("unitCents", NameMatch), fitting("unitCents", ContentMatch)
	if len(near) != 0 || !slices.Contains(all, "GET /products/{productId}/price") {
		t.Errorf("got %v by name, %v by value", near, all)
	}
	if all := fitting("!unitCents", ContentMatch); len(all) != 28 {
		t.Errorf("a negated word was searched for in values: %d of 28 are left", len(all))
	}
}

// Words are searched for in descriptions only if the row has WithDescriptions, and only if no name and no value has
// the word.
func TestFitDescriptions(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{{
		ID: "POST /deployments", Method: "POST", Path: "/deployments",
		Summary: "Review deployments", Description: "Approve or *reject* them.",
	}}}
	index := NewIndex(spec)
	for text, want := range map[string]MatchRank{
		"review":              NameMatch,
		"approve deployments": DescriptionMatch,
		"reject them":         DescriptionMatch,
		"!approve":            NameMatch,
		"method:post approve": DescriptionMatch,
		"method:get approve":  NoMatch,
		"apprect":             NoMatch,
		"path:approve":        NoMatch,
	} {
		row, without := Row{Operations: []model.OpID{"POST /deployments"}}, want
		if want == DescriptionMatch {
			without = NoMatch
		}
		if got := Parse(text, index).Match(row); got != without {
			t.Errorf("%s: got rank %d without descriptions, want %d", text, got, without)
		}
		row.WithDescriptions = true
		if got := Parse(text, index).Match(row); got != want {
			t.Errorf("%s: got rank %d, want %d", text, got, want)
		}
	}
}

func TestWrong(t *testing.T) {
	for text, want := range map[string]string{
		"colour:red": "no fact \"colour\"; there are method: path: tag: group: status: value: schema: in: " +
			"unused deprecated secured host: length: faults:",
		"!colour:red":     "no fact \"colour\"; there are method:",
		"group:first":     "group: takes a group's number",
		"method:":         "method: takes get, post",
		"method:,":        "method: takes get, post",
		"method:gett":     "method: takes get, post",
		"status:6xx":      "status: takes 404, 5xx",
		"in:the-air":      "in: takes path, query",
		"unused:yes":      "unused takes no value",
		"host:":           "host: takes",
		"length:long":     "length: takes a number",
		"length:+":        "length: takes a number",
		"faults:":         "faults: takes a number",
		"faults:1,3+":     "",
		"host:payments":   "",
		"/v1/things:copy": "",
		`"things:copy"`:   "",
		"! !! \"\" !\"":   "",
		"Method:GET":      "",
	} {
		f := Parse(text, nil, "host", "length", "faults")
		if got := f.Problem(); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
		if want != "" && !f.IsEmpty() {
			t.Errorf("%s does not match everything", text)
		}
	}
}

// Rows match by their own facts, and by operations that are not in the index.
func TestRow(t *testing.T) {
	row := Row{
		Operations: []model.OpID{"GET /elsewhere"},
		Words:      []string{"search"},
		Values:     []string{"user_id"},
		Statuses:   []string{"2XX", "404"},
		FactValues: func(name string) []string {
			return map[string][]string{"host": {"payments.example:80"}, "length": {"13"}, "faults": {"0"}}[name]
		},
	}
	for text, want := range map[string]bool{
		"elsewhere":     true,
		"search":        true,
		"user":          true,
		"404":           true,
		"201":           true,
		"2xx":           true,
		"500":           false,
		"4":             false,
		"status:204":    true,
		"status:40":     true,
		"status:5":      false,
		"value:userid":  true,
		"host:payments": true,
		"host:other":    false,
		"method:get":    false,
		"!method:get":   true,
		"length:13":     true,
		"length:3":      false,
		"length:1":      false,
		"length:3+":     true,
		"length:14+":    false,
		"length:2,13":   true,
		"!length:13":    false,
		"faults:0":      true,
		"faults:1+":     false,
		"!faults:1+":    true,
		"faults:0+":     true,
		"length:013":    true,
	} {
		if got := Parse(text, nil, "host", "length", "faults").Match(row) == NameMatch; got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		word, text string
		want       []int
	}{
		{"cart", "POST /carts", []int{6, 7, 8, 9}},
		{"ART", "POST /carts", []int{7, 8, 9}},
		{"poca", "POST /carts", []int{0, 1, 6, 7}},
		{"cait", "cartItem", []int{0, 1, 4, 5}},
		{"crt", "cart", []int{0, 2, 3}},
		{"ct", "cart", nil},
		{"custadr", "customers/{id}/addresses", []int{0, 1, 2, 3, 15, 16, 18}},
		{"pause", "PATCH /customers", nil}, // "us" begins no word
		{"cait", "cartIoTtem", nil},
		{"arm", "cart item", nil}, // no word begins with "arm"
		{"caimt", "cart item", nil},
		{"", "cart", nil},
		{"cart", "", nil},
		{"straße", "/STRAßE", []int{1, 2, 3, 4, 5, 7}},
		{"a", "x\x00a", []int{2}},
		{"ab", "a\x00b", nil},
		{
			"/repos/{owner}/{repo}/pulls/{pull_number}/comments",
			"/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments", nil,
		},
	} {
		if diff := cmp.Diff(c.want, FindWord(c.word, c.text)); diff != "" {
			t.Errorf("%q in %q: %s", c.word, c.text, diff)
		}
	}
}

func TestMarks(t *testing.T) {
	f := Parse(`ord !pay tag:car "T /" status:2 path:s value:x`, nil)
	if diff := cmp.Diff([]int{2, 3, 4, 5, 6, 7, 8}, f.Highlights("POST /orders")); diff != "" {
		t.Error(diff)
	}
}

// The letters at the offsets that FindWord returns spell the word, in order.
func TestFindIsTheWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word, text := rapid.String().Draw(t, "word"), rapid.String().Draw(t, "text")
		if rapid.Bool().Draw(t, "near") {
			word, text = rapid.StringMatching(`[a-c/é]{1,4}`).Draw(t, "word"), rapid.StringMatching(`[A-Ca-c/é ]{0,12}`).Draw(t, "text")
		}
		at := FindWord(word, text)
		if at == nil {
			return
		}
		var letters strings.Builder
		for i, from := range at {
			if i > 0 && at[i-1] >= from {
				t.Fatalf("offsets %v do not ascend", at)
			}
			r, _ := utf8.DecodeRuneInString(text[from:])
			letters.WriteRune(r)
		}
		if !strings.EqualFold(letters.String(), word) {
			t.Fatalf("%q was found as %q in %q", word, letters.String(), text)
		}
	})
}

// terms generates filters as users type them, and some unusual filters.
var terms = rapid.OneOf(
	rapid.SampledFrom([]string{
		"cart", "ordpay", "name", "method:post", "tag:carts", "group:1", "group:2", "status:2", "status:5xx", "schema:cart",
		"value:id", "in:query", "unused", "secured", "path:{", `"GET /"`, "no:such", "method:", "404",
	}),
	rapid.StringMatching(`[a-z:"!,/{}]{1,6}`), rapid.String(),
)

// A negated term matches exactly the operations that the term without negation does not match by name.
func TestInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		term := strings.TrimSpace(terms.Draw(t, "term"))
		if len(split(term)) != 1 || strings.HasPrefix(term, "!") || Parse(term, nil).IsEmpty() {
			return
		}
		is, not := fitting(term, NameMatch), fitting("!"+term, NameMatch)
		if both := slices.Concat(is, not); len(both) != 28 {
			t.Fatalf("%q matches %d, its negation %d of 28", term, len(is), len(not))
		}
	})
}

// The order of terms has no effect. An additional term usually reduces the matches. There are two exceptions: a term
// that refines a value, and a term after function words. Function words count only if there are no other words.
func TestTermsAreJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(terms, 1, 4).Draw(t, "terms")
		list = slices.DeleteFunc(list, func(s string) bool { return strings.Contains(s, `"`) })
		all := fitting(strings.Join(list, " "), ContentMatch)
		slices.Reverse(list)
		if diff := cmp.Diff(all, fitting(strings.Join(list, " "), ContentMatch)); diff != "" {
			t.Fatalf("%q: another order makes a difference: %s", list, diff)
		}
		for _, one := range list {
			for _, op := range all {
				mayMatchMore := strings.Contains(one, "in:") || strings.Contains(one, "unused") || hasOnlyFunctionWords(one)
				if !mayMatchMore && !slices.Contains(fitting(one, ContentMatch), op) {
					t.Fatalf("%q matches %s, %q does not", list, op, one)
				}
			}
		}
	})
}

// hasOnlyFunctionWords reports whether all terms are function words.
func hasOnlyFunctionWords(terms string) bool {
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(terms)), func(word string) bool { return !isFunctionWord(word) })
}

// Parsing a filter after each typed letter gives the same matches as parsing it once.
func TestRetype(t *testing.T) {
	spec, index := shop()
	rapid.Check(t, func(t *rapid.T) {
		f := Parse("", index)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			text := strings.Join(rapid.SliceOfN(terms, 0, 3).Draw(t, "terms"), " ")
			letters := []rune(text)
			first := rapid.IntRange(0, len(letters)).Draw(t, "pasted")
			for n := first; n < len(letters); n++ {
				f = f.Retype(string(letters[:n]))
				if rapid.Bool().Draw(t, "matched") {
					f.Match(Row{Operations: []model.OpID{"GET /health"}})
				}
			}
			f = f.Retype(text)
			anew := Parse(text, index)
			for _, op := range spec.Operations {
				row := Row{Operations: []model.OpID{op.ID}, Words: []string{op.Summary}, Statuses: answers[op.ID]}
				row.WithDescriptions = rapid.Bool().Draw(t, "described")
				if got, want := f.Match(row), anew.Match(row); got != want {
					t.Fatalf("%q, %s: got rank %d, want %d", text, op.ID, got, want)
				}
			}
		}
	})
}

// mayBeScattered is true for each text in which findScattered finds the letters of a word.
func TestMayBeScattered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-c/é]{1,5}`).Draw(t, "word")
		text := rapid.StringMatching(`[A-Ca-c/éÉ ]{0,14}`).Draw(t, "text")
		in := newText(text, false)
		if !strings.Contains(in.low, word) && findScattered(word, text) != nil && !mayBeScattered(word, in) {
			t.Fatalf("%q has the letters of %q", text, word)
		}
	})
	for text, want := range map[string]bool{"cartItem": true, "myCartItem": true, "scat items": false, "cart": false} {
		if got := mayBeScattered("cait", newText(text, false)); got != want {
			t.Errorf("%s: got %t, want %t", text, got, want)
		}
	}
}

// With a run, the statuses of an operation are the statuses of its answers in the run. Without a run, they are the
// declared statuses.
func TestStatusesOf(t *testing.T) {
	_, index := shop()
	declared := index.StatusesOf("GET /health", model.Snapshot{})
	if !slices.Contains(declared, "200") {
		t.Errorf("declared statuses %q, want 200 among them", declared)
	}
	run := model.Snapshot{Phase: model.PhaseRunning, Grid: map[model.OpID]map[int]int{"GET /health": {503: 1}}}
	if got := index.StatusesOf("GET /health", run); !slices.Equal(got, []string{"503"}) {
		t.Errorf("statuses of the run %q, want 503", got)
	}
	if got := index.StatusesOf("GET /nothing", model.Snapshot{}); len(got) != 0 {
		t.Errorf("statuses of an unknown operation %q", got)
	}
}
