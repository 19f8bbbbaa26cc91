package match

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLastSegment(t *testing.T) {
	const none = ""
	tests := []struct{ name, location, want string }{
		{"absolute", "http://127.0.0.1:8080/products/100", "100"},
		{"rooted", "/products/100", "100"},
		{"relative", "products/100", "100"},
		{"only the id", "100", "100"},
		{"trailing slash", "/products/100/", "100"},
		{"query and fragment", "/products/100?full=true#top", "100"},
		{"slash before the query", "/products/100/?a=b/c", "100"},
		{"percent", "/products/a%20b%2Fc", "a b/c"},
		{"unicode", "/products/%C3%A9", "é"},
		{"blanks around", "  /products/100 ", "100"},
		{"other host", "//cdn.example/x/9", "9"},
		{"no path", "http://shop.example", none},
		{"root", "/", none},
		{"empty", "", none},
		{"dots", "/products/..", none},
		{"urn", "urn:uuid:5", none},
		{"broken percent", "/products/%zz", none},
		{"invalid UTF-8", "/products/%ff", none},
		{"only a query", "?id=5", none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := LastSegment(tt.location)
			if got != tt.want || ok != (tt.want != none) {
				t.Errorf("LastSegment(%q) = %q, %v, want %q", tt.location, got, ok, tt.want)
			}
		})
	}
}

func FuzzLastSegment(f *testing.F) {
	f.Add("http://a/b/c?d#e")
	f.Add("%2e%2e/%00")
	f.Add("urn:x")
	f.Fuzz(func(t *testing.T, location string) {
		got, ok := LastSegment(location)
		if ok == (got == "") {
			t.Fatalf("LastSegment(%q) = %q, %v", location, got, ok)
		}
		if !utf8.ValidString(got) || got == ".." || strings.HasSuffix(location, "/") && got == "/" {
			t.Fatalf("LastSegment(%q) = %q", location, got)
		}
	})
}
