package client

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"

	"sonde/model"
)

// bodyReader reads a body before it is decoded. It counts the bytes and keeps the error.
type bodyReader struct {
	body io.Reader
	n    int64
	err  error // the error after the last byte: io.EOF if the body is complete, nil before the end
}

func (r *bodyReader) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	r.n += int64(n)
	if err != nil {
		r.err = err
	}
	return n, err
}

// defect returns what is wrong with the encoding or the length of a body, or nil. read is the number of
// decoded bytes that were read, and err is the error that ended reading. Over HTTP/1, a body without a
// stated length ends with the connection, so it has no defect if the connection breaks.
func defect(res *http.Response, body *bodyReader, encoding string, read int, err error) *model.Defect {
	chunked := len(res.TransferEncoding) > 0
	cut := body.err != nil && !errors.Is(body.err, io.EOF)
	switch {
	case cut && res.ContentLength > 0:
		return &model.Defect{CutShort: true, Text: fmt.Sprintf("the body ended after %d of %d bytes", body.n, res.ContentLength)}
	case cut && (chunked || res.ProtoMajor > 1):
		return &model.Defect{CutShort: true, Text: fmt.Sprintf("the body broke off after %d bytes: %v", body.n, body.err)}
	case cut || decoderOf(encoding) == nil || read == 0 && err == nil:
		return nil
	case read > 0 && errors.Is(err, gzip.ErrHeader): // only bytes after the complete body are invalid, which does no harm
		return nil
	case err != nil:
		return &model.Defect{Text: fmt.Sprintf("the body is not what Content-Encoding %q says: %v", encoding, err)}
	case res.Header.Get("Content-Encoding") != "": // decoded returned the body unchanged, because it could not decode it
		return &model.Defect{Text: fmt.Sprintf("the body is not what Content-Encoding %q says", encoding)}
	}
	return nil
}
