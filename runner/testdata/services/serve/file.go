package serve

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
)

// Bytes returns the body.
func (c *Call) Bytes() []byte { return c.body }

// File is the file in a form.
type File struct {
	Name string
	Data []byte
}

// Form returns the file in the part of a form, and the other fields. It refuses a body without such a file.
func (c *Call) Form(part string) (File, map[string]string, error) {
	fields := map[string]string{}
	var file File
	_, params, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || c.bodyErr != nil || params["boundary"] == "" {
		return file, nil, Refuse(http.StatusBadRequest, "the body is no form")
	}
	for r := multipart.NewReader(bytes.NewReader(c.body), params["boundary"]); ; {
		p, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return file, nil, Refuse(http.StatusBadRequest, "the form is broken: %v", err)
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return file, nil, Refuse(http.StatusBadRequest, "the form ends early")
		}
		if p.FormName() == part && p.FileName() != "" {
			file = File{p.FileName(), data}
		} else {
			fields[p.FormName()] = string(data)
		}
	}
	if file.Name == "" {
		return file, nil, Refuse(http.StatusBadRequest, "the file %s is missing", part)
	}
	return file, fields, nil
}
