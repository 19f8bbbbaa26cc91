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

// maxBody is the maximum size of a body that is kept, in bytes.
const maxBody = 16 << 20

// capture keeps the beginning of a body while it is relayed.
type capture struct {
	data      []byte
	truncated bool  // the body has more bytes than data
	size      int64 // bytes of the body so far
}

// add adds the next bytes of the body.
func (c *capture) add(p []byte) {
	c.size += int64(len(p))
	if room := maxBody - len(c.data); len(p) > room {
		p, c.truncated = p[:room], true
	}
	c.data = append(c.data, p...)
}

// decoders maps each supported content encoding to a function that returns a decoding reader.
var decoders = map[string]func(io.Reader) (io.ReadCloser, error){
	"gzip":    func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
	"x-gzip":  func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
	"deflate": decodeDeflate,
	"br":      decodeBrotli,
	"zstd":    decodeZstd,
}

// decodeBrotli decodes brotli. Unlike the library's reader, it reports a truncated body.
func decodeBrotli(r io.Reader) (io.ReadCloser, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(&brotliReader{brotli.NewReader(bytes.NewReader(data)), data}), nil
}

// brotliReader returns an error at the end of a truncated body.
type brotliReader struct {
	*brotli.Reader
	data []byte
}

// Read returns io.ErrUnexpectedEOF at the end of a truncated body.
func (b *brotliReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) && !b.isComplete() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// isComplete reports whether the body is complete: the library rejects a byte that is added to a
// complete body.
func (b *brotliReader) isComplete() bool {
	more := brotli.NewReader(io.MultiReader(bytes.NewReader(b.data), strings.NewReader("\x00")))
	_, err := io.Copy(io.Discard, more)
	return err != nil && err.Error() == "brotli: excessive input"
}

// decodeZstd decodes zstd, with the largest window that HTTP allows (RFC 9659).
func decodeZstd(r io.Reader) (io.ReadCloser, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// decodeDeflate decodes deflate. The standard wraps it in the zlib format; decodeDeflate also accepts the data without
// that format, because some servers send it so.
func decodeDeflate(r io.Reader) (io.ReadCloser, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if z, err := zlib.NewReader(bytes.NewReader(data)); err == nil {
		return z, nil
	}
	return flate.NewReader(bytes.NewReader(data)), nil
}

// errEncoding is returned for a body whose encoding is not supported.
var errEncoding = errors.New("its encoding is not supported")

// decode decodes a captured body. It returns as much of the body as can be decoded, at most maxBody bytes, and whether
// the rest is missing. If c.truncated is true, the missing end of the body is no error.
func decode(c capture, encoding string) (data []byte, cut bool, err error) {
	encoding = strings.ToLower(strings.TrimSpace(encoding))
	if encoding == "" || encoding == "identity" || len(c.data) == 0 {
		return c.data, c.truncated, nil
	}
	open, ok := decoders[encoding]
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
	if c.truncated {
		err = nil // a captured body may end in the middle
	}
	return data, c.truncated || err != nil, err
}

// supportedEncodings returns the value of Accept-Encoding with only the encodings that decode
// supports, or "identity" if there are none.
func supportedEncodings(offered []string) []string {
	var all []string
	for part := range strings.SplitSeq(strings.Join(offered, ","), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		if _, ok := decoders[strings.ToLower(name)]; ok || strings.EqualFold(name, "identity") {
			all = append(all, strings.TrimSpace(part))
		}
	}
	if len(all) == 0 {
		return []string{"identity"}
	}
	return []string{strings.Join(all, ", ")}
}
