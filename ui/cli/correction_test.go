package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	ctrlO = "\x0f"
	ctrlS = "\x13"
	left  = "\x1b[D"
)

const cards = `openapi: 3.0.3
info: {title: Cards, version: "1"}
paths:
  /cards:
    post: {responses: {"201": {description: a card, content: {application/json: {schema: {$ref: "#/components/schemas/Card"}}}}}}
  /cards/{number}:
    parameters: [{name: number, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: a card, content: {application/json: {schema: {$ref: "#/components/schemas/Card"}}}}}}
components:
  schemas:
    Card: {type: object, properties: {number: {type: string}, colour: {type: string}}}
`

// A correction that is made in the app applies to commands until it is removed in the app.
func TestCorrectionInTheApp(t *testing.T) {
	const file = "# mine\nspec: cards.yaml # the only one\n"
	dir := t.TempDir()
	for name, text := range map[string]string{"cards.yaml": cards, "sonde.yaml": file} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	values := func() string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, "sonde.yaml"))
		if err != nil || !strings.HasPrefix(string(text), file) {
			t.Fatalf("error %v, sonde.yaml is\n%s", err, text)
		}
		return strings.TrimPrefix(string(text), file)
	}
	paths := func() string {
		t.Helper()
		out, err := command(t, dir, program(t), "paths", "cards.yaml", "GET /cards/{number}").Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	s := begin(t, command(t, dir, program(t)), 120, 36)
	keys(t, s, "", "New here?", ctrlX, "", down, "GET /cards/{number}", enter, "number is card.number", "c", "Correct number",
		left, "◂ attribute ▸", ctrlS, "card.number is corrected in sonde.yaml, at /cards")
	if got, want := values(), "values:\n  - {value: card.number, in: /cards, kind: attribute}\n"; got != want {
		t.Errorf("sonde.yaml has %q, want %q", got, want)
	}
	if out := paths(); strings.Contains(out, "POST /cards") {
		t.Errorf("the command does not know the correction:\n%s", out)
	}
	keys(t, s, "c", "as matched   card.number", ctrlO, "as matched again")
	if got := values(); got != "" {
		t.Errorf("sonde.yaml still has %q", got)
	}
	if out := paths(); !strings.Contains(out, "POST /cards") {
		t.Errorf("the command does not know that the correction is removed:\n%s", out)
	}
}

// When the user edits sonde.yaml while the app runs, the app soon shows the changes, and also the mistakes in them.
func TestCorrectionByHand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("cards.yaml", cards)
	write("sonde.yaml", "spec: cards.yaml\n")
	s := begin(t, command(t, dir, program(t)), 120, 36)
	keys(t, s, "", "New here?", ctrlX, "", down, "GET /cards/{number}", enter, "number is card.number")
	write("sonde.yaml", "spec: cards.yaml\nvalues:\n  - {value: card.number, is: deck.number}\n")
	keys(t, s, "", "the spec was read again", "", "≠", "", "number is deck.number")
	write("sonde.yaml", "spec: cards.yaml\nvalues:\n  - {value: card.number, was: deck.number}\n")
	keys(t, s, "", `✗ configuration "sonde.yaml": line 3`, "", "number is deck.number")
	write("sonde.yaml", "spec: cards.yaml\n")
	keys(t, s, "", "number is card.number")
}
