package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/app/usecase"
)

func TestDrawPicture(t *testing.T) {
	p := usecase.GraphPicture{
		Title: "around POST /carts", Note: "Not shown: 3 flows",
		Boxes: [][]usecase.BoxLine{
			{{Method: "POST", Text: "/carts"}, {Text: "✓ 201"}}, {{Method: "GET", Text: "/carts/{id}"}}, {{Text: "cart.id"}},
		},
		Values: map[int]bool{2: true},
		Arrows: []usecase.BoxArrow{{From: 0, To: 1, Values: []string{"cart.id"}}, {From: 0, To: 2, Dashed: true}},
		Frames: []usecase.BoxFrame{{Title: "1  carts", Boxes: []int{0, 1, 2}}},
	}
	dir := t.TempDir()
	for name, want := range map[string][]string{
		"a.svg": {"<svg", `class="box post"`, "✓ 201", "cart.id", "Not shown: 3 flows", `class="box value"`, `class="frame"`, ">1  carts<"},
		"a.dot": {
			`"POST /carts\n✓ 201" -> "GET /carts/{id}" [label="cart.id"]`, `"cart.id" [style=dashed`, `label="1  carts"`, "style=dashed]",
		},
		"a.mmd": {"flowchart LR", `n0 -->|"cart.id"| n1`, "n0 -.-> n2", `subgraph g0["1  carts"]`, "class n2 value"},
	} {
		path := filepath.Join(dir, name)
		if err := drawPicture(path, p, false); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s: %q is not in\n%s", name, w, text)
			}
		}
		if err := drawPicture(path, p, false); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: got %v for a file that is there", name, err)
		}
		if err := drawPicture(path, p, true); err != nil {
			t.Errorf("%s: got %v for one that may be replaced", name, err)
		}
	}
	if err := drawPicture(filepath.Join(dir, "a.png"), p, false); err == nil ||
		!strings.Contains(err.Error(), ".svg, .dot, .gv, .mmd or .mermaid") {
		t.Errorf("got %v for another format", err)
	}
}

// A graph with more arrows than Mermaid accepts is reduced.
func TestDrawLargeMermaid(t *testing.T) {
	p := usecase.GraphPicture{Boxes: [][]usecase.BoxLine{{{Text: "a"}}, {{Text: "b"}}}}
	for range 450 {
		p.Arrows = append(p.Arrows, usecase.BoxArrow{From: 0, To: 1})
	}
	path := filepath.Join(t.TempDir(), "a.mmd")
	if err := drawPicture(path, p, false); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	if n := strings.Count(string(text), "-->"); n != 400 || !strings.Contains(string(text), fmt.Sprint(50)+" more arrows") {
		t.Errorf("%d arrows", n)
	}
}
