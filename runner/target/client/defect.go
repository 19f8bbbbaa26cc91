package client

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"

	"sonde/model"
)

// arriving is a body as it arrives, before it is decoded.
type arriving struct {
	body io.Reader
	n    int64
	err  error // that ended it, io.EOF where it came to its end
}

func (a *arriving) Read(p []byte) (int, error) {
	n, err := a.body.Read(p)
	a.n += int64(n)
	if err != nil {
		a.err = err
	}
	return n, err
}

// defect says what is wrong with how a body was sent, of which so many bytes could
// be read until an error or the end. A body whose length is not known ends with its
// connection, in whatever way.
func defect(res *http.Response, body *arriving, encoding string, read int, err error) *model.Defect {
	chunked := len(res.TransferEncoding) > 0
	cut := body.err != nil && body.err != io.EOF
	switch {
	case cut && res.ContentLength > 0:
		return &model.Defect{CutShort: true, Text: fmt.Sprintf("the body ended after %d of %d bytes", body.n, res.ContentLength)}
	case cut && (chunked || res.ProtoMajor > 1):
		return &model.Defect{CutShort: true, Text: fmt.Sprintf("the body broke off after %d bytes: %v", body.n, body.err)}
	case cut || decoderOf(encoding) == nil || read == 0 && err == nil:
		return nil
	case read > 0 && errors.Is(err, gzip.ErrHeader): // what follows the whole text harms nobody
		return nil
	case err != nil:
		return &model.Defect{Text: fmt.Sprintf("the body is not what Content-Encoding %q says: %v", encoding, err)}
	case res.Header.Get("Content-Encoding") != "": // it could not be opened, see plain
		return &model.Defect{Text: fmt.Sprintf("the body is not what Content-Encoding %q says", encoding)}
	}
	return nil
}
