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

// What is looked for first misses no form of a secret.
func TestCoresAreInAllSecrets(t *testing.T) {
	var m mask
	for _, secret := range []string{"Bearer tok en", "tok en", "tok en", "en", "ü/"} {
		m.hide(secret)
	}
	m.obtain("given")
	hidden := m.all.Load()
	for _, secret := range hidden.secrets {
		if m.text("x="+secret+";") != "x=***;" {
			t.Errorf("%q is not masked; looked for %q", secret, hidden.cores)
		}
	}
	if len(hidden.cores) != 4 { // en, ü/ in two forms, given
		t.Errorf("looks for %q", hidden.cores)
	}
}
