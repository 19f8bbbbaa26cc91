package client

import (
	"fmt"
	"testing"
)

// If a secret is part of a longer secret, the whole longer secret is masked.
func TestLongSecretsAreMaskedFirst(t *testing.T) {
	var m mask
	m.hide("pass-1234")
	m.obtain("head.pass-1234.tail-of-the-token")
	if got := m.text("credentials head.pass-1234.tail-of-the-token and pass-1234"); got != "credentials *** and ***" {
		t.Errorf("got %q", got)
	}
}

// Only the oldest secrets from log-ins are dropped.
func TestObtainedSecretsAreBounded(t *testing.T) {
	var m mask
	m.hide("password-of-ann")
	const logIns = 5*maxObtained + 10
	for i := range logIns {
		m.obtain(fmt.Sprintf("token-number-%d!", i))
	}
	if n := len(m.obtained); n < maxObtained || n >= 2*maxObtained || len(m.known) != n+1 {
		t.Errorf("%d are obtained, %d known", len(m.obtained), len(m.known))
	}
	last := fmt.Sprintf("token-number-%d!", logIns-1)
	if got := m.text("token-number-0! " + last + " password-of-ann"); got != "token-number-0! *** ***" {
		t.Errorf("got %q", got)
	}
}

// BenchmarkObtain measures how long it takes to add a secret from a log-in to a mask.
func BenchmarkObtain(b *testing.B) {
	var m mask
	m.hide("password-of-ann")
	for i := 0; b.Loop(); i++ {
		m.obtain(fmt.Sprintf("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ%dIn0.c2lnbmF0dXJlc2lnbmF0dXJl", i))
	}
}
