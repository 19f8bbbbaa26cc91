package client

import (
	"fmt"
	"testing"
)

// A secret that stands in a longer one leaves nothing of that behind.
func TestLongSecretsAreMaskedFirst(t *testing.T) {
	var m mask
	m.hide("pass-1234")
	m.obtain("head.pass-1234.tail-of-the-token")
	if got := m.text("carries head.pass-1234.tail-of-the-token and pass-1234"); got != "carries *** and ***" {
		t.Errorf("got %q", got)
	}
}

// TestObtainedSecretsAreBounded forgets the oldest of what log-ins gave, and nothing else.
func TestObtainedSecretsAreBounded(t *testing.T) {
	var m mask
	m.hide("password-of-ann")
	for i := range 2 * mostObtained {
		m.obtain(fmt.Sprintf("token-number-%d!", i))
	}
	if len(m.obtained) != mostObtained || len(m.known) != mostObtained+1 {
		t.Errorf("%d are obtained, %d known", len(m.obtained), len(m.known))
	}
	last := fmt.Sprintf("token-number-%d!", 2*mostObtained-1)
	if got := m.text("token-number-0! " + last + " password-of-ann"); got != "token-number-0! *** ***" {
		t.Errorf("got %q", got)
	}
}
