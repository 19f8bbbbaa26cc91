package gotest

import (
	"io"
	"net"
	"strings"
	"testing"
)

// A client that prepares a statement gets the types of its columns from the stubs, which use up no answer by that. A
// query without a stub gets an error.
func TestPostgresAnswers(t *testing.T) {
	h := newHosts(t)
	h.postgres("b.example:5432", says(`{"tag":"OTHER"}`))
	h.postgres(
		"a.example:5432", ifJSON(`{"query":"q $1","1":"a"}`), says(`{"columns":[{"name":"x"}],"rows":[["one"]]}`), says(`{"tag":"TWO"}`),
	)
	h.postgres("a.example:5432", ifBegins("r"), says(`{"error":{"code":"23505","message":"it exists"}}`))
	addr, err := h.listenTCP("a.example:5432")
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	message := func(kind, body string) string { return kind + "\x00\x00\x00" + string(rune(len(body)+4)) + body }
	bound := message("B", "\x00s\x00\x00\x00\x00\x01\x00\x00\x00\x01a\x00\x00") + message("E", "\x00\x00\x00\x00\x00") + message("S", "")
	for _, e := range []struct{ sent, want string }{
		{message("", "\x00\x03\x00\x00user\x00me\x00\x00"), "server_version"},
		{message("P", "s\x00q $1\x00\x00\x00") + message("D", "Ss\x00") + message("S", ""), "x\x00"},
		{bound, "one"},
		{bound, "TWO"},
		{message("Q", "rest\x00"), "it exists"},
		{message("Q", "q $2\x00"), "no stub answers q $2"},
	} {
		io.WriteString(c, e.sent)
		text, part := "", make([]byte, 1000)
		for !strings.Contains(text, "Z\x00\x00\x00\x05I") {
			n, err := c.Read(part)
			if text += string(part[:n]); err != nil {
				t.Fatalf("%q: got %q, %v", e.sent, text, err)
			}
		}
		if !strings.Contains(text, e.want) {
			t.Errorf("%q: got %q, want %q", e.sent, text, e.want)
		}
	}
}
