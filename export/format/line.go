package format

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
)

// own are headers that curl sends itself.
var own = []string{"Accept-Encoding", "Content-Length", "Host", "User-Agent", "Connection"}

// CurlCommand returns a command of curl that sends what was sent, secrets and all. An error says why
// there is none.
func CurlCommand(x model.Exchange) (string, error) {
	switch {
	case x.At.IsZero():
		return "", fmt.Errorf("%s was never sent: there is nothing to copy", x.Request.Op)
	case x.Request.Truncated:
		return "", fmt.Errorf("of the body of %s only a part was kept: it cannot be copied", x.Request.Op)
	case strings.Contains(string(x.Request.Body), "\x00"):
		return "", fmt.Errorf("the body of %s has a byte 0, which no command line can have", x.Request.Op)
	}
	words := []string{"curl", "-i"}
	if strings.ContainsAny(x.Request.URL, "[]{}") { // which curl takes for many URLs
		words = append(words, "-g")
	}
	if strings.Contains(x.Request.URL, "/.") {
		words = append(words, "--path-as-is")
	}
	if x.Request.Method != "GET" || len(x.Request.Body) > 0 {
		words = append(words, "-X "+sh(x.Request.Method))
	}
	words = append(words, sh(x.Base+x.Request.URL))
	for _, name := range slices.Sorted(maps.Keys(x.Request.Header)) {
		for _, value := range x.Request.Header[name] {
			if !slices.Contains(own, name) {
				words = append(words, "-H "+sh(headerWord(name, value)))
			}
		}
	}
	if len(x.Request.Body) > 0 {
		words = append(words, "--data-raw "+sh(string(x.Request.Body)))
	}
	return strings.Join(words, " "), nil
}

// headerWord returns a header as curl wants it: an empty one ends otherwise.
func headerWord(name, value string) string {
	if value == "" {
		return name + ";"
	}
	return name + ": " + value
}
