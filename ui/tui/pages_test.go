package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The docs have a page with a picture for each screen, and each link on these pages leads to a file.
func TestPagesOfScreens(t *testing.T) {
	const folder = "../../docs/screens"
	links := regexp.MustCompile(`\]\(([^)#]+)`)
	for i, s := range open(shop(), nil).app.screens.all {
		name := strings.ToLower(s.Name())
		page, err := os.ReadFile(filepath.Join(folder, name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("# %d %s\n", i+1, s.Name()); !strings.HasPrefix(string(page), want) ||
			!strings.Contains(string(page), "]("+name+".svg)") {
			t.Errorf("the page of %s does not begin with its name and picture", s.Name())
		}
		for _, l := range links.FindAllStringSubmatch(string(page), -1) {
			if _, err := os.Stat(filepath.Join(folder, l[1])); err != nil {
				t.Errorf("%s.md: %v", name, err)
			}
		}
	}
}
