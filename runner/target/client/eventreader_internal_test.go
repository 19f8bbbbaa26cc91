package client

import (
	"bytes"
	"testing"
)

// Events are parsed in bounded memory, whatever a service sends, and the parser ends with its input.
func FuzzEventReader(f *testing.F) {
	for _, seed := range []string{"data: a\n\n", "\ufeffid:1\r\nevent: x\rdata\n\n", ": c\n\n\n", "data: a\ndata: b\n\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newEventReader(bytes.NewReader(data))
		for range len(data) + 1 {
			m, err := r.next()
			if len(m.Data) > maxMessage || len(m.Event) > 3*maxEventName || int64(len(m.Data)) > m.Size {
				t.Fatalf("an event of %d bytes with a name of %d bytes, size %d", len(m.Data), len(m.Event), m.Size)
			}
			if err != nil {
				return
			}
		}
		t.Fatal("there are more events than bytes")
	})
}
