package export

import "testing"

// The user can name a test. An empty name restores the default name.
func TestName(t *testing.T) {
	d := drive(t, demo).pick(carts, orders).press("n").sees("▸name    ")
	for range 80 {
		d.press("backspace")
	}
	d.press("P", "a", "y", "_", "w", "enter")
	if d.tests[0].Name != "Pay_w" {
		t.Errorf("the test is called %q", d.tests[0].Name)
	}
	d.press("n").sees("Pay_w").press("x", "esc")
	if d.tests[0].Name != "Pay_w" {
		t.Errorf("the test is called %q after esc", d.tests[0].Name)
	}
	d.press("n")
	for range 10 {
		d.press("backspace")
	}
	d.press("enter")
	if d.tests[0].Name != "" {
		t.Errorf("the test is called %q again", d.tests[0].Name)
	}
	d.press("f").sees("▸folder  ").press("esc")
}
