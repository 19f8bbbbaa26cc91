package collection

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Format is a format of files with requests.
type Format string

// The formats that Parse can parse.
const (
	PostmanFormat Format = "postman"
	HARFormat     Format = "har"
	CurlFormat    Format = "curl"
	HTTPFormat    Format = "http"
	BrunoFormat   Format = "bruno"
)

// Formats are all formats.
var Formats = []Format{PostmanFormat, HARFormat, CurlFormat, HTTPFormat, BrunoFormat}

// ErrUnknown is the error for a file whose format is not known.
var ErrUnknown = errors.New("it is no Postman collection, HAR file, curl command, .http file or .bru file")

// errEnvironment is the error for a file that has only variables.
var errEnvironment = errors.New("it is an environment, which has no requests: give the collection, and --environment with this file")

// Parse parses a file of a format.
func Parse(f Format, data []byte) (Collection, error) {
	switch f {
	case PostmanFormat:
		return ParsePostman(bytes.TrimPrefix(data, []byte("\ufeff")))
	case HARFormat:
		return ParseHAR(bytes.TrimPrefix(data, []byte("\ufeff")))
	case CurlFormat:
		return ParseCurl(string(data))
	case HTTPFormat:
		return ParseHTTP(string(data))
	case BrunoFormat:
		return ParseBruno(string(data))
	}
	return Collection{}, fmt.Errorf("the format %q is unknown: use one of %s", f, formatList())
}

// formatList returns the names of all formats.
func formatList() string {
	var all []string
	for _, f := range Formats {
		all = append(all, string(f))
	}
	return strings.Join(all, ", ")
}

// CheckFormat returns an error for a text that is no format.
func CheckFormat(text string) error {
	if !slices.Contains(Formats, Format(text)) {
		return fmt.Errorf("%q is unknown: use one of %s", text, formatList())
	}
	return nil
}

var (
	bruStart    = regexp.MustCompile(`^(meta|vars|http|get|post|put|delete|patch|options|head|auth|headers)(:[a-z-]+)?\s*[{\[]\s*$`)
	curlStart   = regexp.MustCompile(`^(\$ )?(\S*/)?curl(\.exe)?\s`)
	assignment  = regexp.MustCompile(`^(export )?[A-Za-z_][A-Za-z0-9_]*=|^(set|cd|echo|if|for) `)
	methodStart = regexp.MustCompile(`^[A-Z]+\s+(\S+://|/|\{\{|[a-z0-9.-]+[:/.])|^(https?|wss?)://\S+$|^\{\{[^{}]+\}\}/\S*$`)
)

// Detect returns the format of a file, by its content.
func Detect(data []byte) (Format, error) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	if start := strings.TrimSpace(text); strings.HasPrefix(start, "{") && !strings.HasPrefix(start, "{{") {
		return detectJSON([]byte(text))
	}
	for _, line := range splitLines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, separator), fileVariable.MatchString(line), methodStart.MatchString(line),
			nameComment.MatchString(line), strings.HasPrefix(line, "< {%"):
			return HTTPFormat, nil
		case bruStart.MatchString(line):
			return BrunoFormat, nil
		case curlStart.MatchString(line):
			return CurlFormat, nil
		case line == "" || isComment(line) || assignment.MatchString(line):
		default:
			return "", ErrUnknown
		}
	}
	return "", ErrUnknown
}

// detectJSON returns the format of a JSON file.
func detectJSON(data []byte) (Format, error) {
	var members struct {
		Info     json.RawMessage `json:"info"`
		Item     json.RawMessage `json:"item"`
		Log      json.RawMessage `json:"log"`
		Values   json.RawMessage `json:"values"`
		Version  json.RawMessage `json:"version"`
		Type     string          `json:"type"`
		OpenAPI  json.RawMessage `json:"openapi"`
		Requests json.RawMessage `json:"requests"`
	}
	if err := json.Unmarshal(data, &members); err != nil {
		return "", fmt.Errorf("it is broken JSON: %w", err)
	}
	switch {
	case members.Info != nil && members.Item != nil:
		return PostmanFormat, nil
	case members.Log != nil:
		return HARFormat, nil
	case members.Values != nil:
		return "", errEnvironment
	case members.Type == "collection" && members.Version != nil:
		return "", errors.New("it is the head of a collection of Bruno: give its folder")
	case members.Requests != nil:
		return "", errors.New("it may be a Postman collection of version 1: export it as version 2.1")
	case members.OpenAPI != nil:
		return "", errors.New("it is an OpenAPI document, which Sonde opens as it is: sonde FILE")
	}
	return "", ErrUnknown
}

// IsHTTPFile reports whether a file is a .http file by its name.
func IsHTTPFile(path string) bool {
	lower := strings.ToLower(path)
	return strings.HasSuffix(lower, ".http") || strings.HasSuffix(lower, ".rest")
}
