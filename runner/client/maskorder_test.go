package client

import "testing"

// A secret that stands in a longer one leaves nothing of that behind.
func TestLongSecretsAreMaskedFirst(t *testing.T) {
	var m mask
	m.hide("pass-1234")
	m.obtain("head.pass-1234.tail-of-the-token")
	if got := m.text("carries head.pass-1234.tail-of-the-token and pass-1234"); got != "carries *** and ***" {
		t.Errorf("got %q", got)
	}
}
