package probe

import (
	"fmt"
	"path"
	"strings"

	"golang.org/x/tools/go/packages"
)

// chooser tells which packages are to be covered.
type chooser struct {
	main     *packages.Package
	patterns []string
	used     []bool
}

// newChooser reads patterns: import paths such as example.com/shop/api, or
// ./api from the main module on, each with /... for all that is below it.
func newChooser(main *packages.Package, patterns []string) (*chooser, error) {
	c := &chooser{main: main, used: make([]bool, len(patterns))}
	for _, p := range patterns {
		full, err := c.full(p)
		if err != nil {
			return nil, err
		}
		c.patterns = append(c.patterns, full)
	}
	return c, nil
}

// full is a pattern as an import path.
func (c *chooser) full(pattern string) (string, error) {
	if pattern == "." || strings.HasPrefix(pattern, "./") {
		if c.main.Module == nil {
			return "", fmt.Errorf("%q needs a module: %q is in none", pattern, c.main.PkgPath)
		}
		return path.Join(c.main.Module.Path, pattern), nil
	}
	if pattern == "" || strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "..") {
		return "", fmt.Errorf("%q is no pattern of packages: give one such as ./internal/... or example.com/shop/api", pattern)
	}
	return pattern, nil
}

// covers reports whether a package is to be covered. Without patterns that is what
// belongs to the main module.
func (c *chooser) covers(p *packages.Package) bool {
	if len(c.patterns) == 0 {
		return p == c.main || p.Module != nil && c.main.Module != nil && p.Module.Path == c.main.Module.Path
	}
	found := false
	for i, pattern := range c.patterns {
		if matches(pattern, p.PkgPath) {
			c.used[i], found = true, true
		}
	}
	return found
}

func matches(pattern, pkg string) bool {
	below, all := strings.CutSuffix(pattern, "/...")
	return pkg == below || all && strings.HasPrefix(pkg, below+"/")
}

// unused is a pattern for which no package was found.
func (c *chooser) unused(given []string) error {
	for i, ok := range c.used {
		if !ok {
			return fmt.Errorf("%q fits no package that %q is made of", given[i], c.main.PkgPath)
		}
	}
	return nil
}
