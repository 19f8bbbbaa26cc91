package record

import (
	"net/http"
	"strings"
	"testing"
)

// BenchmarkMask measures the masking of ordinary bodies, and of bodies that are made to be slow.
func BenchmarkMask(b *testing.B) {
	answer := `{"orderId":4711,"status":"placed","totalCents":12900,"lines":[` +
		strings.Repeat(`{"sku":"TENT-2","name":"Tent for two","priceCents":12900,"count":1},`, 12) + `null]}`
	for _, c := range []struct{ name, media, text string }{
		{"JSON of 1 kB", "application/json", answer},
		{"HTML of 100 kB", "text/html", strings.Repeat(`<p class="a">Some text, and <a href="/orders?page=2">a link</a>.</p>`, 1500)},
		{"a log of 100 kB", "text/plain", strings.Repeat("2026-11-22 20:22:46 GET /orders?page=2 status=200 took=12ms\n", 1700)},
		{"hostile, names", "text/plain", strings.Repeat("token=", 1<<20/6)},
		{"hostile, quotes", "text/plain", strings.Repeat(`token="a`, 1<<20/8)},
		{"hostile, bearers", "text/plain", strings.Repeat("Bearer abcdef", 1<<20/13)},
		{"hostile, URLs", "text/plain", strings.Repeat("a://b:c", 1<<20/7)},
		{"hostile, tags", "text/xml", strings.Repeat("<a b='", 1<<20/6)},
		{"hostile, JSON in lines", "application/json", strings.Repeat("{\"token\":\n", 1<<20/10)},
		{"hostile, parts", "multipart/form-data; boundary=x", strings.Repeat("--x\n\n", 1<<20/5)},
	} {
		b.Run(c.name, func(b *testing.B) {
			h := http.Header{"Content-Type": {c.media}}
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				m := masks(b)
				m.body([]byte(c.text), h)
			}
		})
	}
}
