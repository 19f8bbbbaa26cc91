package codec

import (
	"encoding/json"
	"time"

	"sonde/model"
)

// recordLine is a line of exchanges.ndjson, as the reader decodes it. Exactly one of its members is set. A
// lineWriter writes such lines.
type recordLine struct {
	Served   *servedLine          `json:"served,omitempty"`
	Sent     *sentLine            `json:"sent,omitempty"`
	Snapshot *model.StateSnapshot `json:"snapshot,omitempty"`
	Code     *codeLine            `json:"code,omitempty"`
	Covered  *coveredLine         `json:"covered,omitempty"`
	Note     string               `json:"note,omitempty"`
	Ready    time.Time            `json:"ready,omitzero"` // when the service was ready; missing in recordings of version 0.1
}

type servedLine struct {
	ID      string `json:"id"`
	User    string `json:"user,omitempty"`
	Session string `json:"session,omitempty"`
	// Covered is the number of a set of code targets, 0 if unknown. ByOthers means that other requests may have
	// covered some of these targets instead.
	Covered  int  `json:"covered,omitempty"`
	ByOthers bool `json:"by_others,omitempty"`
	pairLine
}

type sentLine struct {
	ID       string         `json:"id"`
	Host     string         `json:"host"`
	Name     string         `json:"name,omitempty"`
	Protocol model.Protocol `json:"protocol"`
	TLS      bool           `json:"tls,omitempty"`
	// Connection is missing in recordings of version 0.1.
	Connection string            `json:"connection,omitempty"`
	Cause      string            `json:"cause,omitempty"`
	How        model.Attribution `json:"how,omitempty"`
	pairLine
	Turns []saidLine `json:"turns,omitempty"`
}

// pairLine is an encoded model.Exchange.
type pairLine struct {
	At      time.Time     `json:"at,omitzero"`
	Took    time.Duration `json:"took"`
	Base    string        `json:"base,omitempty"`
	Request *requestLine  `json:"request,omitempty"`
	Reply   *replyLine    `json:"reply,omitempty"`
	Err     raw           `json:"err,omitzero"`
}

type requestLine struct {
	Op     model.OpID       `json:"op,omitempty"`
	Method string           `json:"method"`
	URL    raw              `json:"url"`
	Header map[string][]raw `json:"header,omitempty"`
	bodyLine
}

type replyLine struct {
	Status  int              `json:"status"`
	Proto   string           `json:"proto,omitempty"`
	Header  map[string][]raw `json:"header,omitempty"`
	Trailer map[string][]raw `json:"trailer,omitempty"`
	bodyLine
}

type saidLine struct {
	Words  bodyLine `json:"words,omitzero"`
	Answer bodyLine `json:"answer,omitzero"`
}

// bodyLine is an encoded body: text, bytes if it is not UTF-8, or the SHA-256 of a file that has the body.
type bodyLine struct {
	Body      string `json:"body,omitempty"`
	Bytes     []byte `json:"bytes,omitempty"`
	File      string `json:"file,omitempty"`
	Truncated bool   `json:"truncated,omitempty"`
}

// raw is a text from a client or a service. It may not be valid UTF-8.
type raw string

// UnmarshalJSON decodes a JSON string, or the encoding of a text that is not valid UTF-8.
func (t *raw) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var b bodyLine
		err := json.Unmarshal(data, &b)
		*t = raw(b.Bytes)
		return err
	}
	return json.Unmarshal(data, (*string)(t))
}
