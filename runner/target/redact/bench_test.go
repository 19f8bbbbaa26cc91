package redact

import (
	"fmt"
	"strings"
	"testing"
)

// users returns a matcher of the secrets of two users and of their log-ins.
func users() *Matcher {
	var all []string
	for i := range 2 {
		all = append(
			all, fmt.Sprintf("password-of-%d", i), fmt.Sprintf("Bearer key-%d-0123456789abcdef", i),
			fmt.Sprintf("key-%d-0123456789abcdef", i),
		)
		for j := range 20 {
			all = append(all, fmt.Sprintf("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ%dIn%d0.c2lnbmF0dXJlc2lnbmF0dXJl%d", i, j, i*j))
		}
	}
	return matcher(all...)
}

func BenchmarkText(b *testing.B) {
	order := `{"orderId":4711,"status":"placed","totalCents":12900,"lines":[` +
		strings.Repeat(`{"sku":"TENT-2","name":"Tent for two","priceCents":12900,"count":1},`, 12) + `null]}`
	m := users()
	for name, text := range map[string]string{
		"an answer of 1 kB":     order,
		"JSON in JSON":          strings.ReplaceAll(order, `"`, `\"`),
		"HTML":                  strings.ReplaceAll(order, `"`, `&quot;`),
		"1 MB of answers":       strings.Repeat(order, 1000),
		"hostile, backslashes":  strings.Repeat(`\`, 1<<20),
		"hostile, percents":     strings.Repeat(`%25`, 1<<20/3),
		"hostile, ampersands":   strings.Repeat(`&amp;`, 1<<20/5),
		"hostile, almost":       strings.Repeat(`eyJhbGciOiJIUzI1NiJ9.`, 1<<20/21),
		"hostile, almost coded": strings.Repeat(`%2565yJhbGciOiJIUzI1NiJ9.`, 1<<20/25),
		"hostile, mixed":        strings.Repeat(`&#92;u0025`, 1<<20/10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				m.MaskText(text, BodyText)
			}
		})
	}
}
