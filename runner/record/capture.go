package record

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// mostBody is how many bytes of a body are kept.
const mostBody = 16 << 20

// capture keeps the beginning of a body that passes.
type capture struct {
	data []byte
	cut  bool // there was more
	read int64
}

func (c *capture) take(p []byte) {
	c.read += int64(len(p))
	if room := mostBody - len(c.data); len(p) > room {
		p, c.cut = p[:room], true
	}
	c.data = append(c.data, p...)
}

// encodings are those of bodies that can be read.
var encodings = map[string]func(io.Reader) (io.ReadCloser, error){
	"gzip":    func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
	"x-gzip":  func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
	"deflate": inflate,
	"br":      unbrotli,
	"zstd":    unzstd,
}

// unbrotli reads brotli. Its reader takes one that is cut off for one that ends.
func unbrotli(r io.Reader) (io.ReadCloser, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(&ofBrotli{brotli.NewReader(bytes.NewReader(data)), data}), nil
}

type ofBrotli struct {
	*brotli.Reader
	data []byte
}

// Read reads; the end of what is cut off is unexpected.
func (b *ofBrotli) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF && !b.ends() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// ends reports whether it is whole: a byte behind it then is one too many.
func (b *ofBrotli) ends() bool {
	more := brotli.NewReader(io.MultiReader(bytes.NewReader(b.data), strings.NewReader("\x00")))
	_, err := io.Copy(io.Discard, more)
	return err != nil && err.Error() == "brotli: excessive input"
}

// unzstd reads zstd, of which a window may be as large as HTTP allows (RFC 9659).
func unzstd(r io.Reader) (io.ReadCloser, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// inflate reads deflate in the form of the standard, or bare as some servers send it.
func inflate(r io.Reader) (io.ReadCloser, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if z, err := zlib.NewReader(bytes.NewReader(data)); err == nil {
		return z, nil
	}
	return flate.NewReader(bytes.NewReader(data)), nil
}

// errEncoding is the error of a body that nobody here can read.
var errEncoding = errors.New("its encoding is none that can be read")

// decoded is a captured body without its encoding, as far as can be had of it.
func decoded(c capture, encoding string) (data []byte, cut bool, err error) {
	encoding = strings.ToLower(strings.TrimSpace(encoding))
	if encoding == "" || encoding == "identity" || len(c.data) == 0 {
		return c.data, c.cut, nil
	}
	open, ok := encodings[encoding]
	if !ok {
		return nil, true, errEncoding
	}
	r, err := open(bytes.NewReader(c.data))
	if err != nil {
		return nil, true, err
	}
	defer r.Close()
	data, err = io.ReadAll(io.LimitReader(r, mostBody+1))
	if len(data) > mostBody {
		return data[:mostBody], true, nil
	}
	if c.cut {
		err = nil // it ends in the middle
	}
	return data, c.cut || err != nil, err
}

// readable are of the encodings that somebody offers to take those that can be read.
func readable(offered []string) []string {
	var all []string
	for part := range strings.SplitSeq(strings.Join(offered, ","), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		if _, ok := encodings[strings.ToLower(name)]; ok || strings.EqualFold(name, "identity") {
			all = append(all, strings.TrimSpace(part))
		}
	}
	if len(all) == 0 {
		return []string{"identity"}
	}
	return []string{strings.Join(all, ", ")}
}
