package netsim

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// namesSource is the file whose function sondeSyntheticAddr must agree with syntheticIPv4 and
// syntheticIPv6.
const namesSource = "../../../assets/probe/_net/net/names.go"

// sondeSyntheticAddr returns the source of the function sondeSyntheticAddr in namesSource.
func sondeSyntheticAddr(t *testing.T) string {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, namesSource, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		if function, ok := d.(*ast.FuncDecl); ok && function.Name.Name == "sondeSyntheticAddr" {
			var b bytes.Buffer
			if err := format.Node(&b, files, function); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
	}
	t.Fatal(namesSource, "has no function sondeSyntheticAddr")
	return ""
}

// A service with a network built in computes the same synthetic addresses as Sonde.
func TestSyntheticAddressesOfService(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	names := []string{"", "a", "a.example", "payments.example", "xn--bcher-kva.example", strings.Repeat("x", 253)}
	for i := range 1000 {
		names = append(names, fmt.Sprintf("host%d.example", i))
	}
	program := "package main\nimport (\"net/netip\"; \"os\")\n" + sondeSyntheticAddr(t) + `
func main() {
	for _, name := range os.Args[1:] {
		println(sondeSyntheticAddr(name, false).String(), sondeSyntheticAddr(name, true).String())
	}
}`
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", append([]string{"run", file}, names...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(names) {
		t.Fatalf("got %d lines for %d names:\n%s", len(lines), len(names), out)
	}
	for i, name := range names {
		if want := fmt.Sprint(syntheticIPv4(name), syntheticIPv6(name)); lines[i] != want {
			t.Errorf("%q: the service has %s, want %s", name, lines[i], want)
		}
	}
}
