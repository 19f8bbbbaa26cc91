// Package openapi reads OpenAPI documents into a model.Spec. The versions are 2.0, 3.0, 3.1 and 3.2, the formats
// JSON and YAML. No other package imports kin-openapi, and the API of this package has no types of that library.
//
// A document becomes a model.Spec in four steps:
//
//  1. JSON and YAML are read into the same tree of nodes (node.go), which keeps the order,
//     names and lines of the file.
//  2. A mender copies the tree by rules, which are the specification of OpenAPI as data
//     (grammar.go, rules.go), and resolves references. The copy is the clean tree. Parts that
//     violate a rule are left out of it and listed as problems.
//  3. Each operation and schema of the clean tree is converted to a type of kin-openapi, which
//     also converts OpenAPI 2.0 to 3.
//  4. A converter creates the model from kin-openapi's types, in the order of the tree.
//
// Links and security skip step 3. A link names another operation, but kin-openapi gets one operation at a time.
// Security needs no conversion.
//
// These parts of the specification are ignored and are not listed as problems:
//
//   - callbacks, except for the bodies of their requests
//   - additionalOperations of callbacks
//   - descriptions and summaries of tags
//   - constants and servers of links
//   - scopes of security
//   - servers of a path or an operation
//   - examples of responses
//   - the encoding of the parts of a body, except for their media types
//   - in a schema: if, then, else, dependentSchemas, dependentRequired, prefixItems, contains,
//     patternProperties, propertyNames, unevaluatedItems and unevaluatedProperties
package openapi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"sonde/model"
)

// ErrNotSpec is the error for a source that is not an OpenAPI document. Load and Parse wrap it in an error of one line
// that says what the source is instead.
var ErrNotSpec = errors.New("no OpenAPI document")

// Options control what Load may do and how much it may read. The zero value is suitable for all usual documents.
type Options struct {
	// RemoteRefs allows references to URLs other than that of the spec.
	RemoteRefs bool
	// Client fetches URLs; nil means a client with a time limit and few redirects.
	Client *http.Client
	// TLS is the configuration for https URLs if Client is nil; nil means Go's default.
	TLS *tls.Config
	// Stdin is read for the source "-"; nil means os.Stdin.
	Stdin io.Reader

	// MaxTime limits the time for loading, including references; 0 means 2 minutes.
	MaxTime time.Duration
	// MaxBytes limits the total size of the document and of all files to which it refers; 0 means 64 MiB.
	MaxBytes int64
	// MaxDepth limits the number of levels to which values are nested; 0 means 1,000.
	MaxDepth int
	// MaxNodes limits the total number of values in these files. 0 means 5 million, or proportionally more if MaxBytes
	// is larger than 64 MiB. A value takes about half a kB during loading. The limit also holds after YAML aliases are
	// expanded. n values may expand to at most 20 n + 100,000 values.
	//
	// Operations get copies of the objects that they share. With these copies, all operations together may have a
	// quarter of MaxNodes values. For small documents, the limit is lower, but it is never lower than one value for
	// every 8 bytes of the files.
	MaxNodes int
}

// DefaultMaxBytes is the default of MaxBytes: 64 MiB.
const DefaultMaxBytes = 64 << 20

// defaultMaxNodes is the default of MaxNodes.
const defaultMaxNodes = 5_000_000

func (o Options) withDefaults() Options {
	if o.Client == nil {
		o.Client = defaultClient(o.TLS)
	}
	o.MaxTime = orDefault(o.MaxTime, 2*time.Minute)
	o.MaxBytes = orDefault(o.MaxBytes, DefaultMaxBytes)
	o.MaxDepth = orDefault(o.MaxDepth, 1000)
	o.MaxNodes = orDefault(o.MaxNodes, max(defaultMaxNodes, int(o.MaxBytes/(DefaultMaxBytes/defaultMaxNodes))))
	return o
}

func orDefault[T ~int | ~int64](n, normal T) T {
	if n == 0 {
		return normal
	}
	return n
}

// Load reads the spec at source: a path, an http or https URL, or "-" for standard input. Parts that cannot
// be read are left out and listed in the spec's Problems. An error has one line.
func Load(ctx context.Context, source string, o Options) (*model.Spec, error) {
	o = o.withDefaults()
	data, err := readSource(ctx, source, o)
	if err != nil {
		return nil, err
	}
	return Parse(ctx, source, data, o)
}

// Parse is like Load for bytes that were read from source. Relative references are resolved against source.
func Parse(ctx context.Context, source string, data []byte, o Options) (spec *model.Spec, err error) {
	o = o.withDefaults()
	ctx, cancel := context.WithTimeoutCause(ctx, o.MaxTime, fmt.Errorf("it takes longer than %v", o.MaxTime))
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			spec, err = nil, fmt.Errorf("%q cannot be read: %v; please report this as a bug of Sonde", source, r)
		}
	}()
	if int64(len(data)) > o.MaxBytes {
		return nil, tooLarge(source, o)
	}
	l := newLibrary(ctx, o)
	doc, err := l.main(source, data)
	if err != nil {
		return nil, err
	}
	d, err := dialectOf(doc.root)
	if err != nil {
		return nil, notSpec(source, cmp.Or(describeText(data), err.Error()))
	}
	spec, err = read(newMender(ctx, l, d, o), doc)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w", source, err)
	}
	sum := sha256.Sum256(data)
	spec.Source, spec.Hash, spec.Files = source, hex.EncodeToString(sum[:]), l.files()
	return spec, nil
}

// read converts a document to a spec.
func read(m *mender, doc *document) (*model.Spec, error) {
	b, err := newBundle(m, doc)
	if err != nil {
		return nil, err
	}
	return b.spec()
}
