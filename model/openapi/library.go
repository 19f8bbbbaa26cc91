package openapi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
)

// maxDocuments limits the number of documents to which a spec may refer.
const maxDocuments = 1000

// maxRefLength limits the length of a reference in bytes.
const maxRefLength = 2000

// library has the spec and the documents to which the spec refers.
type library struct {
	ctx       context.Context
	o         Options
	bytesLeft int64 // bytes that may still be read
	nodesLeft int   // nodes that may still be created
	spec      *document
	folder    string // the folder of the spec, "" if the spec is not a file
	docs      map[string]*document
	failed    map[string]error
	notes     []located
}

// located is a note with the document to which it belongs.
type located struct {
	note
	doc *document
}

func newLibrary(ctx context.Context, o Options) *library {
	return &library{ctx: ctx, o: o, bytesLeft: o.MaxBytes, nodesLeft: o.MaxNodes, docs: map[string]*document{}, failed: map[string]error{}}
}

// main parses the spec itself, which was read from source.
func (l *library) main(source string, data []byte) (*document, error) {
	doc := &document{name: source, main: true}
	switch {
	case isURL(source):
		doc.base = source
	case source != "-":
		doc.base, l.folder = filepath.Base(source), filepath.Dir(source)
	}
	if found := describeBytes(source, data); found != "" {
		return nil, notSpec(source, found)
	}
	if err := l.parse(doc, data); err != nil {
		return nil, unreadable(l.ctx, source, data, err)
	}
	l.spec = doc
	if doc.base != "" {
		l.docs[doc.base] = doc
	}
	l.setSelf(doc)
	return doc, nil
}

// files returns the paths of all documents that are files.
func (l *library) files() (paths []string) {
	for base := range l.docs {
		if !isURL(base) {
			paths = append(paths, filepath.Join(l.folder, filepath.FromSlash(base)))
		}
	}
	slices.Sort(paths)
	return paths
}

func (l *library) parse(doc *document, data []byte) error {
	l.bytesLeft -= int64(len(data))
	b := &builder{ctx: l.ctx, depth: l.o.MaxDepth, nodesLeft: l.nodesLeft}
	root, err := b.readTree(data)
	l.nodesLeft = b.nodesLeft
	if err != nil {
		return err
	}
	doc.root = root
	for _, n := range b.notes {
		l.notes = append(l.notes, located{n, doc})
	}
	return nil
}

// open returns the document that a reference names. file is the part of the reference before "#". from is the
// document that contains the reference.
func (l *library) open(file string, from *document) (*document, error) {
	base, err := l.locate(file, from)
	if err != nil {
		return nil, err
	}
	if err := l.failed[base]; err != nil {
		return nil, err
	}
	if doc := l.docs[base]; doc != nil {
		return doc, nil
	}
	doc, err := l.read(base)
	if err != nil {
		l.failed[base] = err
		return nil, err
	}
	l.docs[base] = doc
	return doc, nil
}

// locate resolves the file of a reference. The result is a URL, or a path with slashes that is relative to the folder
// of the spec.
func (l *library) locate(file string, from *document) (string, error) {
	u, err := url.Parse(file)
	if err != nil {
		return "", errors.New("it is neither a path nor a URL")
	}
	if u.Scheme == "" {
		l.noteRelative(from)
	}
	switch {
	case isURL(from.base):
		start, err := url.Parse(from.base)
		if err != nil {
			return "", err
		}
		u = start.ResolveReference(u)
	case u.Scheme == "":
		if l.folder == "" {
			return "", errors.New("a spec from standard input can refer to itself only")
		}
		if path.IsAbs(u.Path) {
			return "", errOutside
		}
		return path.Join(path.Dir(filepath.ToSlash(from.base)), u.Path), nil
	}
	if !isURL(u.String()) {
		return "", errors.New("only files and http or https URLs are read")
	}
	u.Fragment = ""
	return u.String(), nil
}

func (l *library) read(base string) (*document, error) {
	get := l.readBelow
	switch {
	case len(l.docs)+len(l.failed) >= maxDocuments:
		return nil, fmt.Errorf("it is one of more than %d documents", maxDocuments)
	case isURL(base) && !l.o.RemoteRefs:
		return nil, errors.New("other URLs are read with --remote-refs only")
	case isURL(base):
		get = l.fetchDocument
	}
	data, err := get(base)
	if err != nil {
		return nil, err
	}
	doc := &document{name: base, base: base}
	if err := l.parse(doc, data); err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w", base, err)
	}
	l.setSelf(doc)
	return doc, nil
}

func (l *library) fetchDocument(base string) ([]byte, error) {
	o := l.o
	o.MaxBytes = l.bytesLeft
	return fetch(l.ctx, base, o)
}

var errOutside = errors.New("only files below the spec's folder are read")

// readBelow reads a file in the folder of the spec or below it. It refuses paths and symbolic links that lead out of
// this folder.
func (l *library) readBelow(base string) ([]byte, error) {
	root, err := os.OpenRoot(l.folder)
	if err != nil {
		return nil, cause(err)
	}
	defer root.Close()
	file := filepath.FromSlash(base)
	info, err := root.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("there is no such file")
	case err != nil || !filepath.IsLocal(file):
		return nil, errOutside
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	}
	f, err := root.Open(file)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	data, err := readAtMost(f, info.Size(), l.bytesLeft)
	if errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf(
			"the spec and its files are larger than the limit of %s: --max-size raises it",
			humanize.IBytes(uint64(l.o.MaxBytes)),
		)
	}
	return data, err
}

// find returns the node to which a reference refers, and the place of the node. at is the place of the reference.
func (l *library) find(ref *node, at *place) (*node, *place, error) {
	doc, tokens, err := l.resolve(ref, at)
	if err != nil {
		return nil, nil, err
	}
	return descend(doc, tokens)
}

// resolve returns the document to which a reference refers, and the tokens of the pointer in the reference.
func (l *library) resolve(ref *node, at *place) (*document, []string, error) {
	if ref.kind != isText {
		return nil, nil, errors.New("it must be a text")
	}
	if len(ref.text) > maxRefLength {
		return nil, nil, errors.New("it is too long")
	}
	file, fragment, _ := strings.Cut(ref.text, "#")
	doc := at.doc
	if file != "" {
		var err error
		doc, err = l.open(file, doc)
		if err != nil {
			return nil, nil, err
		}
	}
	tokens, err := pointerTokens(fragment)
	return doc, tokens, err
}
