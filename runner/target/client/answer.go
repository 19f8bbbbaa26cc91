package client

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"

	"sonde/model"
)

// maxHeader is the maximum size in bytes of the headers of an answer, including those of the
// 1xx answers before it.
const maxHeader = 256 << 10

// roundTrip bypasses http.Client, which would parse a redirect's Location and follow it. Here a
// redirect is an answer like any other, so no request goes to another host.
func (c *Client) roundTrip(req *http.Request) (model.Reply, error) {
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		return model.Reply{}, err
	}
	defer res.Body.Close()
	reply := model.Reply{Status: res.StatusCode, Proto: res.Proto, Header: res.Header}
	if res.StatusCode == http.StatusSwitchingProtocols || res.ContentLength == 0 {
		return reply, nil // what follows a protocol switch is not a body and may never end
	}
	body := &arriving{body: res.Body}
	encoding := res.Header.Get("Content-Encoding")
	read, err := io.ReadAll(io.LimitReader(plain(res, body), c.limit+1))
	reply.Truncated = err != nil || int64(len(read)) > c.limit
	reply.Body = read[:min(int64(len(read)), c.limit)]
	if req.Context().Err() == nil { // otherwise the client itself stopped reading
		reply.Defect = defect(res, body, encoding, len(read), err)
	}
	return reply, nil
}

// plain decodes a body that the service compressed without being asked to, and removes the
// headers that describe the compression. The caller limits how much is read, so that a small
// body cannot expand without bound.
func plain(res *http.Response, body io.Reader) io.Reader {
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

func decoderOf(encoding string) func(*bufio.Reader) io.Reader {
	return decoders[strings.ToLower(strings.TrimSpace(encoding))]
}

// decoders return nil for a body that is not encoded as its header states.
var decoders = map[string]func(*bufio.Reader) io.Reader{"gzip": gunzip, "x-gzip": gunzip, "deflate": inflate}

func gunzip(in *bufio.Reader) io.Reader {
	if head, _ := in.Peek(2); string(head) != "\x1f\x8b" {
		return nil
	}
	out, err := gzip.NewReader(in)
	if err != nil {
		return broken{err}
	}
	return out
}

// inflate reads what HTTP calls deflate: with zlib's header or, as some services send it,
// without.
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
		return broken{err}
	}
	return out
}

// broken is a body that fails before anything can be read from it.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }
