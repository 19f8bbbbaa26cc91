package command_test

import (
	"testing"

	"sonde/ui/app/command"
)

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"run": "run", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "${X}": "'${X}'", "GET=/a,b@c": "GET=/a,b@c",
	} {
		if got := command.Quote(word); got != want {
			t.Errorf("%q: got %s, want %s", word, got, want)
		}
	}
}

func TestSearch(t *testing.T) {
	if got, want := command.SearchCommand([]string{"my spec.yaml", "--seed", "1"}), "sonde search 'my spec.yaml' --seed 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRedacted(t *testing.T) {
	for source, want := range map[string]string{
		"https://ann:secret@h.example/a.yaml": "https://h.example/a.yaml", "a.yaml": "a.yaml", "https://h/a": "https://h/a",
	} {
		if got := command.WithoutCredentials(source); got != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}
