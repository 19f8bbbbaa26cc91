package send

import (
	"strings"
	"testing"
)

// The value under the cursor and the whole answer can be copied. A value that is cut can be wrapped.
func TestTakeFromAnAnswer(t *testing.T) {
	token := strings.Repeat("abcdefghij", 12) + "END"
	body := `{"token":"` + token + `","to":{"city":"Bern","zip":3000}}`
	d := answeredWith(t, body)
	d.press("c")
	if d.clip != "" {
		t.Errorf("copied %q above the body", d.clip)
	}
	d.press("end", "up", "up", "up", "up", "up").sees(`▸  "token"`).press("c")
	if d.clip != token || d.message != "copied the value" {
		t.Errorf("copied %q", d.clip)
	}
	d.misses("END").press("enter").sees("Value", "END").press("c")
	if d.clip != token {
		t.Errorf("copied %q of the wrapped value", d.clip)
	}
	d.press("esc").sees(`▸  "token"`).press("down", "c")
	if want := "{\n  \"city\": \"Bern\",\n  \"zip\": 3000\n}"; d.clip != want {
		t.Errorf("copied %q, want %q", d.clip, want)
	}
	d.press("C")
	if d.clip != body || d.message != "copied the answer" {
		t.Errorf("copied %q", d.clip)
	}
}

// The answer can be opened in the editor. What the editor changes does not get into the form.
func TestAnswerInTheEditor(t *testing.T) {
	d := answeredWith(t, nested)
	d.files = map[string]string{}
	form := d.pane.form.form.outline()
	d.press("E")
	if len(d.edited) != 1 || !strings.HasSuffix(d.edited[0], "answer.json") {
		t.Errorf("opened %q", d.edited)
	}
	if got := d.pane.form.form.outline(); got.Calls[1].Body.Data != form.Calls[1].Body.Data {
		t.Errorf("the body of the form is %q", got.Calls[1].Body.Data)
	}
}

// The answers to the calls before the request can be seen.
func TestAnswerToAnEarlierCall(t *testing.T) {
	d := drive(t, demo)
	d.answer = paid(200, nested)
	d.answer.Exchanges[0].Reply.Body = []byte(`{"total":12}`)
	d.press("r", "v", "home").sees("▸POST /orders").press("enter").sees("Earlier answer", `"total": 12`)
	d.press("esc").sees("Answer · JSON", `"sku": "x"`).press("down", "enter").misses("Earlier answer")
}
