package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// DatabaseRequest is a request that a client sends to a database.
type DatabaseRequest struct {
	Command string // the name of a command, such as GET, or a query in one line
	Text    string // a command in one line, such as GET cart:17, or the whole query
	JSON    string // with the arguments by their numbers: {"command":"GET","1":"cart:17"}; see also RedisTransaction
}

// encodeJSON returns v as JSON, in one line.
func encodeJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // all values can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// unexpectedEnd returns the error for data that ends within a value.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
