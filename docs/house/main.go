// Command house measures how easy the code is to take over. It looks at properties such as the size of types, how
// literals are written, the length of lines and names, the words of comments, and how much of each package is tested.
//
//	go run ./docs/house
//
// It runs from the root of the repository and prints a Markdown table with a goal for each figure. Below the table it
// prints some of the places that miss a goal. Nothing is changed.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	names := flag.Int("names", 5, "number of names to print for each figure that misses its goal")
	flag.Parse()
	if err := run(os.Stdout, *names); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, names int) error {
	pkgs, err := load(".")
	if err != nil {
		return err
	}
	files, err := textFiles(".")
	if err != nil {
		return err
	}
	figures := slices.Concat(codeFigures(pkgs), commentFigures(pkgs), textFigures(files))
	print(w, figures, names)
	return nil
}

// load returns the syntax and types of all packages of the module in a folder, without their tests.
func load(dir string) ([]*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{
		Dir: dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo,
	}, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
	}
	return pkgs, nil
}

// figure is one measured property of the code.
type figure struct {
	name   string
	value  string
	goal   string
	misses []string // places to change; the worst first if they can be ordered
}

func print(w io.Writer, figures []figure, names int) {
	fmt.Fprintf(w, "| figure | now | goal |\n|---|---|---|\n")
	for _, f := range figures {
		fmt.Fprintf(w, "| %s | %s | %s |\n", f.name, f.value, f.goal)
	}
	for _, f := range figures {
		if n := min(names, len(f.misses)); n > 0 {
			fmt.Fprintf(w, "\n%s (%d):\n  %s\n", f.name, len(f.misses), strings.Join(f.misses[:n], "\n  "))
		}
	}
}
