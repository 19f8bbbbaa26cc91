package openapi

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// notSpec returns the error for a source that is not a spec. found says what the source is.
func notSpec(source, found string) error {
	return fmt.Errorf(
		"%s is %w: %s; give an OpenAPI 2.0, 3.0, 3.1 or 3.2 file, its URL, or - for standard input", sourceName(source),
		ErrNotSpec, printable(found),
	)
}

// sourceName returns the name of a source for an error.
func sourceName(source string) string {
	if source == "-" {
		return "standard input"
	}
	return strconv.Quote(source)
}

// unreadable returns the error for a source that could not be read as JSON or YAML. err is the error of the reader.
func unreadable(ctx context.Context, source string, data []byte, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%q cannot be read: %w", source, context.Cause(ctx))
	case isLimit(err):
		return fmt.Errorf("%q cannot be read: %w", source, err)
	case describeText(data) != "":
		return notSpec(source, describeText(data))
	case looksLikeJSON(data):
		return notSpec(source, "it is broken JSON, "+err.Error())
	default:
		return notSpec(source, "it is neither JSON nor YAML, "+err.Error())
	}
}

func looksLikeJSON(data []byte) bool {
	start := bytes.TrimLeft(data, " \t\r\n\xef\xbb\xbf")
	return len(start) > 0 && start[0] == '{'
}

// describeBytes says what kind of data this is if it can be neither JSON nor YAML. Otherwise it returns "".
func describeBytes(source string, data []byte) string {
	head := strings.ToLower(string(bytes.TrimLeft(data[:min(len(data), 4096)], " \t\r\n\xef\xbb\xbf")))
	switch {
	case head == "" && len(bytes.TrimSpace(data)) == 0:
		return "it is empty"
	case strings.HasPrefix(head, "<!doctype html"), strings.HasPrefix(head, "<html"):
		return describePage(source, data)
	case strings.HasPrefix(head, "<"):
		return describeXML(head)
	case strings.HasPrefix(head, "pk\x03\x04"):
		return "it is a zip archive"
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		return "it is a gzip file"
	case bytes.IndexByte(data[:min(len(data), 512)], 0) >= 0:
		return "it is binary data"
	default:
		return ""
	}
}

// describe says what kind of document root is. The document is JSON or YAML, but not OpenAPI.
func describe(root *node) string {
	switch {
	case root.kind == isNull:
		return "it is an empty document"
	case root.kind == isList:
		return "it is a list of " + strconv.Itoa(len(root.kids)) + " values"
	case root.kind != isObject:
		return "it is plain text"
	case describeObject(root) != "":
		return describeObject(root)
	case root.get("$schema") != nil:
		return "it is a JSON schema"
	default:
		return "it is an object with " + keysOf(root)
	}
}

// keysOf lists the first keys of an object.
func keysOf(n *node) string {
	const most = 5
	if len(n.keys) == 0 {
		return "no keys"
	}
	var keys []string
	for _, k := range n.keys[:min(len(n.keys), most)] {
		if !utf8.ValidString(k) {
			k = strings.ToValidUTF8(k, "?")
		}
		keys = append(keys, strconv.Quote(short(k)))
	}
	list := "the keys " + strings.Join(keys, ", ")
	if len(keys) == 1 {
		list = "the key " + keys[0]
	}
	if len(n.keys) > most {
		list += ", …"
	}
	return list
}
