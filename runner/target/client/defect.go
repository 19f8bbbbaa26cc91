package client

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"

	"sonde/model"
)

// arriving is a body before it is decoded. It counts the bytes and keeps the error.
type arriving struct {
	body io.Reader
	n    int64
	err  error // the error that ended it, io.EOF if it is complete
}

func (a *arriving) Read(p []byte) (int, error) {
	n, err := a.body.Read(p)
	a.n += int64(n)
	if err != nil {
		a.err = err
	}
	return n, err
}

// defect returns what is wrong with the encoding or the length of a body, of which read bytes
// could be decoded, nil if nothing is. A body of unknown length may end with its connection in
// any way.
func defect(res *http.Response, body *arriving, encoding string, read int, err error) *model.Defect {
	chunked := len(res.TransferEncoding) > 0
	cut := body.err != nil && !errors.Is(body.err, io.EOF)
	switch {
	case cut && res.ContentLength > 0:
		return &model.Defect{CutShort: true, Text: fmt.Sprintf("the body ended after %d of %d bytes", body.n, res.ContentLength)}
	case cut && (chunked || res.ProtoMajor > 1):
		return &model.Defect{CutShort: true, Text: fmt.Sprintf("the body broke off after %d bytes: %v", body.n, body.err)}
	case cut || decoderOf(encoding) == nil || read == 0 && err == nil:
		return nil
	case read > 0 && errors.Is(err, gzip.ErrHeader): // bytes after the complete text do no harm
		return nil
	case err != nil:
		return &model.Defect{Text: fmt.Sprintf("the body is not what Content-Encoding %q says: %v", encoding, err)}
	case res.Header.Get("Content-Encoding") != "": // plain could not decode it
		return &model.Defect{Text: fmt.Sprintf("the body is not what Content-Encoding %q says", encoding)}
	}
	return nil
}
