package oracle

import (
	"fmt"
	"mime"
	"strconv"
	"strings"
	"unicode/utf8"

	"sonde/model"
)

// judgeTransfer judges how an answer was sent: whether it is complete, and in the encoding that it names.
// What the client did not read to its end is not judged.
func (v *verdict) judgeTransfer(i int, r model.Reply) {
	status := strconv.Itoa(r.Status)
	switch d := r.Defect; {
	case d != nil && d.CutShort:
		if v.ok(i) {
			const expected = "an answer that is sent completely"
			v.add(Finding{Oracle: cutShort, Call: i, Expected: expected, Actual: d.Text, Signature: status})
		}
	case d != nil:
		v.add(Finding{
			Oracle:    wrongEncoding,
			Call:      i,
			Expected:  "a body that is encoded as its header says",
			Actual:    d.Text,
			Signature: status + " content",
		})
	case r.Truncated || len(r.Body) == 0 || encoded(r):
	default:
		if came := wrongCharset(r); came != "" {
			v.add(Finding{
				Oracle:    wrongEncoding,
				Call:      i,
				Expected:  "text in the encoding that its content type requires or names",
				Actual:    came,
				Signature: status + " charset",
			})
		}
	}
}

// wrongCharset describes how a text is not in its encoding, "" if it is. JSON must be UTF-8 (RFC 8259,
// section 8.1). A body that names another encoding and is UTF-8 with non-ASCII characters is misread by
// clients that rely on the name.
func wrongCharset(r model.Reply) string {
	text := first(r.Header, "Content-Type")
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
