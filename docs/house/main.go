// Command house measures how easy the code is to take over: the size of types, how
// literals are written, the length of lines and names, the words of comments, and how
// much of each package is tested.
//
//	go run ./docs/house
//
// It runs from the root of the repository and prints a Markdown table with a goal for
// each figure, and below it what misses its goal. Nothing is changed.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
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
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
			packages.NeedImports | packages.NeedDeps,
	}, "./...")
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			return fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
	}
	files, err := textFiles(".")
	if err != nil {
		return err
	}
	figures := append(codeFigures(pkgs), textFigures(files)...)
	print(w, figures, names)
	return nil
}

// figure is one measured property of the code.
type figure struct {
	name   string
	value  string
	goal   string
	misses []string // what should change, the worst first
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
