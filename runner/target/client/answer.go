package client

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"io"
	"net/http"
	"strings"

	"sonde/model"
)

// maxHeader is the maximum size in bytes of an answer's headers. The headers of preceding 1xx
// answers count, too.
const maxHeader = 256 << 10

// roundTrip sends a request and reads the answer. It bypasses http.Client, which would follow a
// redirect to another host. Here a redirect is an answer like any other.
func (c *Client) roundTrip(req *http.Request) (model.Reply, error) {
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		return model.Reply{}, err
	}
	defer res.Body.Close()
	reply, _ := c.readReply(req.Context(), res)
	return reply, nil
}

// readReply reads an answer. It also returns the size of the body before it was decoded. If ctx ends, the client has
// stopped reading, so the end of the body is no defect.
func (c *Client) readReply(ctx context.Context, res *http.Response) (reply model.Reply, encoded int64) {
	reply = model.Reply{Status: res.StatusCode, Proto: res.Proto, Header: res.Header}
	if res.StatusCode == http.StatusSwitchingProtocols || res.ContentLength == 0 {
		return reply, 0 // the bytes after a protocol switch are not a body and may never end
	}
	body := &bodyReader{body: res.Body}
	encoding := res.Header.Get("Content-Encoding")
	read, err := io.ReadAll(io.LimitReader(decoded(res, body), c.limit+1))
	reply.Truncated = err != nil || int64(len(read)) > c.limit
	reply.Body = read[:min(int64(len(read)), c.limit)]
	if ctx.Err() == nil {
		reply.Defect = defect(res, body, encoding, len(read), err)
	}
	return reply, body.n
}

// decoded returns a reader of the decompressed body, and removes the headers that describe the
// compression. If the client does not support the encoding, or the body does not have it, decoded
// returns a reader of the unchanged body. The client never asks for compression, but some services
// compress anyway. The caller must limit how much it reads, because a small body may expand without
// bound.
func decoded(res *http.Response, body io.Reader) io.Reader {
	open := decoderOf(res.Header.Get("Content-Encoding"))
	if open == nil {
		return body
	}
	in := bufio.NewReader(body)
	out := open(in)
	if out == nil {
		return in
	}
	res.Header.Del("Content-Encoding")
	res.Header.Del("Content-Length")
	return out
}

// decoderOf returns the decoder of a Content-Encoding, nil if the client has none.
func decoderOf(encoding string) func(*bufio.Reader) io.Reader {
	return decoders[strings.ToLower(strings.TrimSpace(encoding))]
}

// decoders has the decoder for each supported Content-Encoding. A decoder returns nil if the body does
// not have the encoding.
var decoders = map[string]func(*bufio.Reader) io.Reader{"gzip": gunzip, "x-gzip": gunzip, "deflate": inflate}

func gunzip(in *bufio.Reader) io.Reader {
	if head, _ := in.Peek(2); string(head) != "\x1f\x8b" {
		return nil
	}
	out, err := gzip.NewReader(in)
	if err != nil {
		return failingReader{err}
	}
	return out
}

// inflate decodes the encoding that HTTP calls deflate. HTTP requires zlib's header, but some
// services leave it out.
func inflate(in *bufio.Reader) io.Reader {
	head, _ := in.Peek(2)
	if len(head) < 2 {
		return nil
	}
	if zlibbed := head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0; !zlibbed {
		return flate.NewReader(in)
	}
	out, err := zlib.NewReader(in)
	if err != nil {
		return failingReader{err}
	}
	return out
}

// failingReader is a body that fails at the first read.
type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }
