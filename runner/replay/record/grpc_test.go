package record

import (
	"strings"
	"testing"

	"sonde/assets/wire"
	"sonde/model"
)

// Secrets in messages of gRPC are masked: a message that is encoded again has the pseudonym.
func TestGRPCIsMasked(t *testing.T) {
	masks, err := ParseMasks(nil)
	if err != nil {
		t.Fatal(err)
	}
	body, ok := wire.GRPCFromJSON([]byte(`{"1":"ann@mail.example","2":{"1":"AKIAIOSFODNN7EXAMPLE","2":17}}`))
	if !ok {
		t.Fatal("no body")
	}
	header := map[string][]string{"Content-Type": {"application/grpc"}}
	x := withGRPCText(model.Exchange{
		Request: model.Request{Header: header, Body: body},
		Reply:   model.Reply{Header: header, Body: []byte("\x00\x00\x00\x00\x09half")},
	})
	if got := string(x.Reply.Body); got != "\x00\x00\x00\x00\x09half" {
		t.Errorf("an incomplete message became %q", got)
	}
	x = newMasker(masks).exchange(x, nil)
	again, ok := wire.GRPCFromJSON(x.Request.Body)
	if !ok || len(again) != len(body) || string(again) == string(body) {
		t.Errorf("%q became %s", body, x.Request.Body)
	}
	for _, secret := range []string{"ann@", "AKIAIOSFODNN7EXAMPLE"} {
		if contains := string(x.Request.Body); len(contains) == 0 || strings.Contains(contains, secret) {
			t.Errorf("%q is in %s", secret, contains)
		}
	}
}
