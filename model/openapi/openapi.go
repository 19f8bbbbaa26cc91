// Package openapi reads OpenAPI documents, versions 2.0, 3.0 and 3.1, JSON or
// YAML, into a model.Spec. It is the only importer of kin-openapi, and no type
// of that library passes its door.
//
// A document is read once into a tree that keeps order, lines and names as they
// stand in the file. The tree is cleaned by the rules of the specification:
// what does not fit is left out and listed as a problem. kin-openapi is fed
// from the clean tree, operation by operation, and its document is turned into
// the model in the tree's order. Links alone do not pass through it: they name
// operations, which it knows one at a time.
//
// Some of the specification is not read, and passed over without a problem:
// webhooks; of a callback all but the bodies of its requests; of a link its
// constants, which pass nothing on, and its server; of security the scopes, and
// which schemes an operation wants together; the servers of a path or an
// operation; the examples of answers; and in a schema
// if, then and else, dependentSchemas, dependentRequired, prefixItems,
// contains, patternProperties, propertyNames, unevaluatedItems and
// unevaluatedProperties; the encoding of a multipart body's parts.
package openapi

import (
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

// ErrNotSpec tells that what was read is no OpenAPI document. The error that
// wraps it says what was found instead, in one line.
var ErrNotSpec = errors.New("no OpenAPI document")

// Options say what Load may do and how much it may read. The zero value is fit
// for any document.
type Options struct {
	// RemoteRefs lets a $ref lead to another URL.
	RemoteRefs bool
	// Client fetches URLs; nil stands for one with a time limit and few redirects.
	Client *http.Client
	// TLS is how URLs of https are fetched, unless there is a Client; nil is the
	// usual way.
	TLS *tls.Config
	// Stdin is read where the source is "-"; nil stands for os.Stdin.
	Stdin io.Reader

	// MaxTime bounds the reading, references included; 0 stands for 2 minutes.
	MaxTime time.Duration
	// MaxBytes bounds the document with those it refers to; 0 stands for 64 MiB.
	MaxBytes int64
	// MaxDepth bounds how deep values are nested; 0 stands for 1,000 levels.
	MaxDepth int
	// MaxNodes bounds the values in the document and those it refers to, and
	// again what they are with all aliases written out, which is at most 20 times
	// as many and 100,000 more; what operations are with
	// all that they share may be a quarter of it, or as much as the document
	// itself. 0 stands for 5 million. A value takes about half a kB while it is loaded.
	MaxNodes int
}

func (o Options) filled() Options {
	if o.Client == nil {
		o.Client = defaultClient(o.TLS)
	}
	o.MaxTime = orElse(o.MaxTime, 2*time.Minute)
	o.MaxBytes = orElse(o.MaxBytes, 64<<20)
	o.MaxDepth = orElse(o.MaxDepth, 1000)
	o.MaxNodes = orElse(o.MaxNodes, 5_000_000)
	return o
}

func orElse[T ~int | ~int64](n, normal T) T {
	if n == 0 {
		return normal
	}
	return n
}

// Load reads the spec at source: a path, an http or https URL, or "-" for
// standard input. What cannot be read of it stands in the spec's Problems; an
// error, of one line, tells that there is no spec.
func Load(ctx context.Context, source string, o Options) (*model.Spec, error) {
	o = o.filled()
	data, err := readSource(ctx, source, o)
	if err != nil {
		return nil, err
	}
	return Parse(ctx, source, data, o)
}

// Parse is Load for bytes that came from source, from which references to
// other files start.
func Parse(ctx context.Context, source string, data []byte, o Options) (spec *model.Spec, err error) {
	o = o.filled()
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
		return nil, notSpec(source, err.Error())
	}
	spec, err = read(newMender(ctx, l, d, o), doc)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w", source, err)
	}
	sum := sha256.Sum256(data)
	spec.Source, spec.Hash, spec.Files = source, hex.EncodeToString(sum[:]), l.files()
	return spec, nil
}

// read cleans a document and makes it a spec.
func read(m *mender, doc *document) (*model.Spec, error) {
	b, err := newBundle(m, doc)
	if err != nil {
		return nil, err
	}
	return b.spec()
}
