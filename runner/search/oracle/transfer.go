package oracle

import (
	"fmt"
	"mime"
	"strconv"
	"strings"
	"unicode/utf8"

	"sonde/model"
)

// examineTransfer checks that an answer is complete, and is in the encoding that its headers name. It does not
// check the encoding of an answer that the client did not read to its end.
func (e *examination) examineTransfer(i int, r model.Reply) {
	status := strconv.Itoa(r.Status)
	switch d := r.Defect; {
	case d != nil && d.CutShort:
		if e.ok(i) {
			const expected = "an answer that is sent completely"
			e.add(Finding{Oracle: cutShort, Call: i, Expected: expected, Actual: d.Text, Signature: status})
		}
	case d != nil:
		e.add(Finding{
			Oracle:    wrongEncoding,
			Call:      i,
			Expected:  "a body that is encoded as its header says",
			Actual:    d.Text,
			Signature: status + " content",
		})
	case r.Truncated || len(r.Body) == 0 || encoded(r):
	default:
		if actual := wrongCharset(r); actual != "" {
			e.add(Finding{
				Oracle:    wrongEncoding,
				Call:      i,
				Expected:  "text in the encoding that its content type requires or names",
				Actual:    actual,
				Signature: status + " charset",
			})
		}
	}
}

// wrongCharset describes an error in the character encoding of a body, "" if there is none. JSON must be
// UTF-8 (RFC 8259, section 8.1). If a header names another encoding for JSON in UTF-8, clients misread the
// characters that are not ASCII.
func wrongCharset(r model.Reply) string {
	text := firstValue(r.Header, "Content-Type")
	media, params, err := mime.ParseMediaType(text)
	if err != nil {
		return ""
	}
	charset := strings.ToLower(params["charset"])
	named := charset != "" && charset != "utf-8" && charset != "utf8"
	valid := utf8.Valid(r.Body)
	switch {
	case !valid && jsonMedia(media):
		return "JSON that is not UTF-8"
	case !valid && !named && charset != "":
		return fmt.Sprintf("a body that is not UTF-8, of %q", model.Excerpt([]byte(text)))
	case valid && named && charset != "us-ascii" && jsonMedia(media) && !ascii(r.Body):
		return fmt.Sprintf("a body that is UTF-8, of %q", model.Excerpt([]byte(text)))
	}
	return ""
}

func ascii(body []byte) bool {
	for _, b := range body {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
