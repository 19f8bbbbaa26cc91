package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"slices"
	"strings"
	"unicode/utf8"
)

// Payload is a body with its media type.
type Payload struct {
	Media string
	Data  string // text, or any bytes
	// FromFile is true if Data is the content of a file, in which ${NAME} is no variable.
	FromFile bool
}

// textPayload and bytesPayload are the two forms of a Payload in a file. Bytes that are not UTF-8 are in base64,
// because a JSON string cannot contain them.
type (
	textPayload struct {
		Media string `json:"media"`
		Data  string `json:"data"`

		FromFile bool `json:"fromFile,omitempty"`
	}
	bytesPayload struct {
		Media    string `json:"media"`
		Base64   []byte `json:"base64"`
		FromFile bool   `json:"fromFile,omitempty"`
	}
)

// MarshalJSON writes a text in the member data, and bytes that are not UTF-8 in base64 in the member base64.
func (p Payload) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the encoder of the enclosing value escapes the result
	var form any = textPayload(p)
	if !utf8.ValidString(p.Data) {
		form = bytesPayload{p.Media, []byte(p.Data), p.FromFile}
	}
	err := e.Encode(form)
	return b.Bytes(), err
}

// UnmarshalJSON decodes the two forms that MarshalJSON writes.
func (p *Payload) UnmarshalJSON(data []byte) error {
	var form struct {
		textPayload
		Base64 []byte `json:"base64"`
	}
	if err := json.Unmarshal(data, &form); err != nil {
		return err
	}
	*p = Payload(form.textPayload)
	if form.Base64 != nil {
		p.Data = string(form.Base64)
	}
	return nil
}

// IsText reports whether the body is to be read as text: its media type is one of text, or it is UTF-8 without control
// characters other than white space.
func (p Payload) IsText() bool {
	return isTextMedia(p.Media) || utf8.ValidString(p.Data) && !strings.ContainsFunc(p.Data, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f
	})
}

// isTextMedia reports whether bodies of a media type are text.
func isTextMedia(media string) bool {
	base, _, _ := strings.Cut(strings.ToLower(media), ";")
	base = strings.TrimSpace(base)
	_, format, _ := strings.Cut(base, "/")
	if _, suffix, found := strings.Cut(format, "+"); found {
		format = suffix
	}
	return strings.HasPrefix(base, "text/") || slices.Contains([]string{"json", "xml", "yaml", "x-www-form-urlencoded"}, format)
}

// Describe returns a text to show for the body: the body itself if it is text, otherwise what it is, such as
// "image/png, 67 bytes". For a multipart body it returns a line for each part.
func (p Payload) Describe() string {
	if p.IsText() {
		return p.Data
	}
	media, params, err := mime.ParseMediaType(p.Media)
	if err == nil && strings.HasPrefix(media, "multipart/") {
		if text, ok := describeParts(p.Data, params["boundary"]); ok {
			return text
		}
	}
	return describeBytes(media, len(p.Data))
}

// describeParts describes the parts of a multipart body. It returns false if the body is malformed.
func describeParts(data, boundary string) (string, bool) {
	if boundary == "" {
		return "", false
	}
	var lines []string
	for r := multipart.NewReader(strings.NewReader(data), boundary); ; {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return strings.Join(lines, "\n"), len(lines) > 0
		}
		if err != nil {
			return "", false
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return "", false
		}
		text := Payload{Media: cmp.Or(part.Header.Get("Content-Type"), "text/plain"), Data: string(content)}.Describe()
		if name := part.FileName(); name != "" {
			text = fmt.Sprintf("%q, %s", name, text)
		}
		lines = append(lines, part.FormName()+": "+text)
	}
}

func describeBytes(media string, size int) string {
	if media == "" {
		media = "binary data"
	}
	if size == 1 {
		return media + ", 1 byte"
	}
	return fmt.Sprintf("%s, %d bytes", media, size)
}
