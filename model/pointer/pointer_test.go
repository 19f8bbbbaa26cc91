package pointer_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"sonde/model/pointer"
)

func TestAt(t *testing.T) {
	var body any
	if err := json.Unmarshal([]byte(`{"a":[1,{"b/c":2,"~":null}],"":3}`), &body); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ pointer, want string }{
		{"/a/0", "1 true"},
		{"/a/1/b~1c", "2 true"},
		{"/a/1/~0", "<nil> true"},
		{"/", "3 true"},
		{"/a/2", "<nil> false"},
		{"/a/-1", "<nil> false"},
		{"/a/x", "<nil> false"},
		{"/b", "<nil> false"},
		{"/a/0/b", "<nil> false"},
	} {
		v, ok := pointer.Lookup(body, c.pointer)
		if got := fmt.Sprint(v, ok); got != c.want {
			t.Errorf("%q: got %s, want %s", c.pointer, got, c.want)
		}
	}
	if _, ok := pointer.Lookup(nil, ""); ok {
		t.Error("nothing has a value")
	}
}

func FuzzLast(f *testing.F) {
	f.Add("a/b~c")
	f.Fuzz(func(t *testing.T, name string) {
		p := "/x/" + pointer.Escape(name)
		if got := pointer.LastToken(p); got != name {
			t.Errorf("%q became %q", name, got)
		}
		if got := pointer.Parent(p); got != "/x" {
			t.Errorf("the parent of %q is %q", p, got)
		}
	})
}

func TestDotted(t *testing.T) {
	for in, want := range map[string]string{"/metadata/name": "metadata.name", "/a~1b/*/c": "a/b.*.c", "/id": "id"} {
		if got := pointer.Dotted(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
