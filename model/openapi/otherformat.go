package openapi

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"sonde/model/collection"
)

// This file recognizes what users give instead of an OpenAPI document: descriptions in other formats, collections of
// requests, and pages that show a document. Each has a text of one line, with the way out.

const (
	graphQL   = "Sonde does not support GraphQL, only HTTP APIs that OpenAPI describes"
	importing = "which sonde import FILE turns into requests"
)

// maxLooked is the number of bytes in which the functions of this file search.
const maxLooked = 1 << 20

// textFormats are formats that are neither JSON nor XML. Some of them can be read as YAML. The first match counts.
var textFormats = []struct {
	start *regexp.Regexp // matches after blank lines and comments, except for RAML, whose first line is a comment
	found string
}{
	{regexp.MustCompile(`^#%RAML`), "it is RAML: convert it to OpenAPI"},
	{regexp.MustCompile(`^FORMAT: ?1A|^# Group `), "it is API Blueprint: convert it to OpenAPI"},
	{
		regexp.MustCompile(`^(syntax|edition)\s*=\s*"`),
		"it is a .proto file of gRPC, which Sonde does not support; a gateway such as gRPC-Gateway can generate an OpenAPI document",
	},
	{regexp.MustCompile(`^import\s+"@typespec/`), "it is TypeSpec: tsp compile writes the OpenAPI document"},
	{
		regexp.MustCompile(`^(""".*\n)?(extend\s+)?((schema|type\s+\w+|input\s+\w+|interface\s+\w+|enum\s+\w+|union\s+\w+|` +
			`directive\s+@\w+)[^:=;]*[{@=(]|scalar\s+\w+\s*$)`),
		"it is a GraphQL schema; " + graphQL,
	},
	{regexp.MustCompile(`^(query|mutation|subscription)\b[^:=;]*\{`), "it is a GraphQL request; " + graphQL},
}

// leading matches blank lines and comments at the start of a text.
var leading = regexp.MustCompile(`^(\s+|(#|//)[^\n]*(\n|$)|/\*(?s:.*?)\*/)+`)

// describeText says what kind of text this is if its format is one of textFormats or a format of sonde import.
// Otherwise it returns "".
func describeText(data []byte) string {
	text := strings.TrimPrefix(string(data[:min(len(data), maxLooked)]), "\ufeff")
	rest := leading.ReplaceAllString(text, "")
	for _, f := range textFormats {
		if f.start.MatchString(text) || f.start.MatchString(rest) {
			return f.found
		}
	}
	if strings.HasPrefix(rest, "openapi") || strings.HasPrefix(rest, "swagger") || strings.HasPrefix(rest, "{") {
		return ""
	}
	switch format, _ := collection.Detect([]byte(text)); format {
	case collection.HTTPFormat:
		return "it is a .http file, " + importing
	case collection.BrunoFormat:
		return "it is a file of Bruno, " + importing
	case collection.CurlFormat:
		return "it has curl commands, " + importing
	}
	return ""
}

// describeXML says what kind of XML document this is. head is the start of the document in lower case.
func describeXML(head string) string {
	switch {
	case strings.Contains(head, "schemas.xmlsoap.org/wsdl"), strings.Contains(head, "www.w3.org/ns/wsdl"):
		return "it is WSDL: Sonde does not support SOAP"
	case strings.Contains(head, "wadl.dev.java.net"):
		return "it is WADL: convert it to OpenAPI"
	case strings.Contains(head, "edmx"):
		return "it is OData metadata: convert it to OpenAPI"
	default:
		return "it is XML"
	}
}

// describeObject says what kind of JSON or YAML object root is if it describes an API in another format. Otherwise it
// returns "".
func describeObject(root *node) string {
	switch {
	case root.get("__schema") != nil, root.get("data").get("__schema") != nil:
		return "it is a GraphQL schema (the answer to an introspection); " + graphQL
	case isGraphQLError(root):
		return "it is the answer of a GraphQL endpoint; " + graphQL
	case root.get("asyncapi") != nil:
		return "it is an AsyncAPI document: Sonde does not support messages, only HTTP"
	case root.get("openrpc") != nil:
		return "it is an OpenRPC document: Sonde does not support JSON-RPC"
	case root.get("arazzo") != nil:
		return "it is an Arazzo document: its sourceDescriptions name the OpenAPI document"
	case root.get("overlay") != nil:
		return "it is an overlay for an OpenAPI document: apply it first"
	case root.get("discoveryVersion") != nil, root.str("kind") == "discovery#restDescription":
		return "it is a Google discovery document: convert it to OpenAPI"
	case strings.Contains(root.get("info").str("schema"), "getpostman") || root.get("info").get("_postman_id") != nil:
		return "it is a Postman collection, " + importing
	case root.get("log").get("entries") != nil:
		return "it is a recording (HAR), " + importing
	case root.get("__export_format") != nil:
		return "it is an export of Insomnia: export the collection as HAR, which sonde import FILE reads"
	case root.get("swaggerVersion") != nil:
		return "it is a Swagger " + short(root.str("swaggerVersion")) + " document, which is too old"
	default:
		return ""
	}
}

// isGraphQLError reports whether a document is an answer that says that the request has no query, as GraphQL services
// answer a GET.
func isGraphQLError(root *node) bool {
	for _, e := range root.list("errors") {
		message := strings.ToLower(e.str("message"))
		if strings.Contains(message, "query") || strings.Contains(message, "graphql") {
			return true
		}
	}
	return false
}

// refusesGET reports whether the body of an answer is that of a GraphQL service to a request without a query.
func refusesGET(body []byte) bool {
	var answer struct {
		Errors []struct{ Message string }
	}
	if json.Unmarshal(body, &answer) != nil {
		return bytes.Contains(body, []byte("GraphQL")) || bytes.Contains(body, []byte("GET query missing"))
	}
	for _, e := range answer.Errors {
		if message := strings.ToLower(e.Message); strings.Contains(message, "query") || strings.Contains(message, "graphql") {
			return true
		}
	}
	return false
}

// pageSpec matches the URL of the document in a page of Swagger UI, Redoc, Scalar, RapiDoc or Stoplight.
var pageSpec = regexp.MustCompile(`(?i)(?:\burl|spec-url|data-url|apiDescriptionUrl)["']?\s*[:=]\s*["']([^"'<>\s\\]{1,300})["']`)

// graphQLPage matches pages with which users try GraphQL services.
var graphQLPage = regexp.MustCompile(`(?i)graphiql|graphql[- ]playground|apollo sandbox|embeddable-sandbox|altair graphql`)

// describePage says what an HTML page shows. source is the path or URL of the page.
func describePage(source string, page []byte) string {
	page = page[:min(len(page), maxLooked)]
	if graphQLPage.Match(page) {
		return "it is a page for GraphQL; " + graphQL
	}
	for _, m := range pageSpec.FindAllSubmatch(page, 100) {
		if at, ok := specURL(source, string(m[1])); ok {
			return "it is an HTML page that shows the document " + strconv.Quote(at) + ", so give that"
		}
	}
	if bytes.Contains(page, []byte("swagger-ui")) {
		return "it is a page of Swagger UI, which shows the URL of the document below the title"
	}
	return "it is an HTML page, perhaps one that shows the document"
}

// specURL returns the URL of a document that a page names, resolved against the URL of the page. ok is false if the text
// does not look like the URL of a spec.
func specURL(source, text string) (at string, ok bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "" && !isURL(text) {
		return "", false
	}
	lower := strings.ToLower(u.Path)
	named := strings.Contains(lower, "openapi") || strings.Contains(lower, "swagger") || strings.Contains(lower, "api-docs")
	switch filepath.Ext(lower) {
	case ".json", ".yaml", ".yml":
	case "":
		if !named {
			return "", false
		}
	default:
		return "", false
	}
	if base, err := url.Parse(source); err == nil && isURL(source) {
		return base.ResolveReference(u).String(), true
	}
	return text, true
}

// describeFolder says what kind of directory this is.
func describeFolder(path string) string {
	if _, err := os.Stat(filepath.Join(path, "bruno.json")); err == nil {
		return "it is a collection of Bruno, " + importing
	}
	return "it is a directory"
}
