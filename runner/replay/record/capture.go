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

// maxBody is how many bytes of a body are kept.
const maxBody = 16 << 20

// capture keeps the beginning of a body that passes.
type capture struct {
	data []byte
	cut  bool // there was more
	read int64
}

func (c *capture) take(p []byte) {
	c.read += int64(len(p))
	if room := maxBody - len(c.data); len(p) > room {
		p, c.cut = p[:room], true
	}
	c.data = append(c.data, p...)
}

// encodings are those of bodies that can be decoded.
var encodings = map[string]func(io.Reader) (io.ReadCloser, error){
	"gzip":    func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
	"x-gzip":  func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
	"deflate": inflate,
	"br":      unbrotli,
	"zstd":    unzstd,
}

// unbrotli decodes brotli. The library's reader takes a truncated body for a complete one.
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

// Read returns io.ErrUnexpectedEOF at the end of a truncated body.
func (b *ofBrotli) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) && !b.ends() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// ends reports whether the body is complete: a byte after it is then excessive.
func (b *ofBrotli) ends() bool {
	more := brotli.NewReader(io.MultiReader(bytes.NewReader(b.data), strings.NewReader("\x00")))
	_, err := io.Copy(io.Discard, more)
	return err != nil && err.Error() == "brotli: excessive input"
}

// unzstd decodes zstd, with a window as large as HTTP allows (RFC 9659).
func unzstd(r io.Reader) (io.ReadCloser, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// inflate decodes deflate in the form of the standard, or raw as some servers send it.
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

// errEncoding is the error of a body whose encoding is not known.
var errEncoding = errors.New("its encoding is not supported")

// decoded returns a captured body without its encoding, as far as it can be decoded.
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
	data, err = io.ReadAll(io.LimitReader(r, maxBody+1))
	if len(data) > maxBody {
		return data[:maxBody], true, nil
	}
	if c.cut {
		err = nil // a captured body may end in the middle
	}
	return data, c.cut || err != nil, err
}

// readable returns those of the offered encodings that can be decoded.
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
