package format

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDocumentsAreMerged(t *testing.T) {
	by := lists{"item": "name", "entries": "page"}
	for name, c := range map[string]struct{ old, new, want string }{
		"an item replaces that of its name": {
			old:  `{"item":[{"name":"a","v":1},{"name":"mine"}]}`,
			new:  `{"item":[{"name":"a","v":2}]}`,
			want: `{"item":[{"name":"a","v":2},{"name":"mine"}]}`,
		},
		"a new item comes last": {
			old:  `{"item":[{"name":"a"},{"name":"mine"}]}`,
			new:  `{"item":[{"name":"a"},{"name":"b"}]}`,
			want: `{"item":[{"name":"a"},{"name":"mine"},{"name":"b"}]}`,
		},
		"a new first item comes first": {
			old:  `{"item":[{"name":"a"}]}`,
			new:  `{"item":[{"name":"log in"},{"name":"a"}]}`,
			want: `{"item":[{"name":"log in"},{"name":"a"}]}`,
		},
		"several items of one name are one": {
			old:  `{"entries":[{"page":"a","v":1},{"page":"a","v":2},{"page":"b"}]}`,
			new:  `{"entries":[{"page":"a","v":3}]}`,
			want: `{"entries":[{"page":"a","v":3},{"page":"b"}]}`,
		},
		"members of the old document remain": {
			old:  `{"note":"mine","info":1}`,
			new:  `{"info":2,"item":[{"name":"a"}]}`,
			want: `{"note":"mine","info":2,"item":[{"name":"a"}]}`,
		},
		"an HTTP archive is merged in its log": {
			old:  `{"log":{"entries":[{"page":"mine"}],"browser":{}}}`,
			new:  `{"log":{"entries":[{"page":"a"}]}}`,
			want: `{"log":{"entries":[{"page":"mine"},{"page":"a"}],"browser":{}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			text, ok := by.merge(c.old, c.new)
			var got, want any
			if err := json.Unmarshal([]byte(text), &got); err != nil || !ok {
				t.Fatalf("got %q, %t, %v", text, ok, err)
			}
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if again, _ := by.merge(text, c.new); again != text {
				t.Errorf("merged again it is\n%s\nwant\n%s", again, text)
			}
		})
	}
	for _, old := range []string{"", "[]", "null", `{"item":1}`, "text"} {
		if text, ok := by.merge(old, `{"item":[]}`); ok {
			t.Errorf("%q: got %q, want no merge", old, text)
		}
	}
}
