package probe

import (
	"debug/elf"
	"debug/macho"
	"fmt"
	"strings"

	"sonde/assets/probe/sondeprobe"
)

// memorySymbol is the symbol of the variable to which the probes write.
const memorySymbol = runtimePath + ".memory"

// memoryAddress returns the address of the probes' memory in a binary. The system may load the binary at another
// address. The difference is a multiple of the page size, so the offset in a page stays the same.
func memoryAddress(binary string) (uint64, error) {
	for _, symbols := range []func(string, func(name string, at uint64)) error{elfSymbols, machoSymbols} {
		var found uint64
		err := symbols(binary, func(name string, at uint64) {
			if strings.TrimPrefix(name, "_") == memorySymbol {
				found = at + sondeprobe.Margin
			}
		})
		if err == nil && found != 0 {
			return found, nil
		}
	}
	return 0, fmt.Errorf(
		"%q has no symbol table, in which the address of the probes' memory is: "+
			"build it for Linux, macOS or FreeBSD, without -ldflags=-s in GOFLAGS",
		binary,
	)
}

func elfSymbols(binary string, each func(string, uint64)) error {
	f, err := elf.Open(binary)
	if err != nil {
		return err
	}
	defer f.Close()
	all, err := f.Symbols()
	for _, s := range all {
		each(s.Name, s.Value)
	}
	return err
}

func machoSymbols(binary string, each func(string, uint64)) error {
	f, err := macho.Open(binary)
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Symtab == nil {
		return nil
	}
	for _, s := range f.Symtab.Syms {
		each(s.Name, s.Value)
	}
	return nil
}
