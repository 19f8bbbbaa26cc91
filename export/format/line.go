package format

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
)

// automaticHeaders are the headers that curl sends by itself.
var automaticHeaders = []string{"Accept-Encoding", "Content-Length", "Host", "User-Agent", "Connection"}

// CurlCommand returns a curl command that repeats the request of an exchange, including secrets. The error
// says why there is no such command.
func CurlCommand(x model.Exchange) (string, error) {
	switch {
	case x.At.IsZero():
		return "", fmt.Errorf("%s was never sent: there is nothing to copy", x.Request.Op)
	case x.Request.Truncated:
		return "", fmt.Errorf("only a part of the body of %s was kept: it cannot be copied", x.Request.Op)
	}
	words := []string{"curl", "-i"}
	if strings.ContainsAny(x.Request.URL, "[]{}") { // curl reads these as patterns of several URLs
		words = append(words, "-g")
	}
	if strings.Contains(x.Request.URL, "/.") {
		words = append(words, "--path-as-is")
	}
	if x.Request.Method != "GET" || len(x.Request.Body) > 0 {
		words = append(words, "-X "+shellQuote(x.Request.Method))
	}
	words = append(words, shellQuote(x.Base+x.Request.URL))
	for _, name := range slices.Sorted(maps.Keys(x.Request.Header)) {
		for _, value := range x.Request.Header[name] {
			if !slices.Contains(automaticHeaders, name) {
				words = append(words, "-H "+shellQuote(headerWord(name, value)))
			}
		}
	}
	switch body := string(x.Request.Body); {
	case body == "":
	case isArgument(body):
		words = append(words, "--data-raw "+shellQuote(body))
	default:
		return "printf " + shBytes(body) + " | " + strings.Join(append(words, "--data-binary @-"), " "), nil
	}
	return strings.Join(words, " "), nil
}

// headerWord returns a header as an argument of curl, which needs another form for an empty value.
func headerWord(name, value string) string {
	if value == "" {
		return name + ";"
	}
	return name + ": " + value
}
