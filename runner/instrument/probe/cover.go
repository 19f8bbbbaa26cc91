package probe

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// CoverDirVariable is the environment variable with the folder into which a service that was built
// by BuildWithCover writes its coverage.
const CoverDirVariable = "GOCOVERDIR"

// BuildWithCover builds a main package with go build -cover instead of probes. It adds the virtual network if
// Options.Net is set, and what tests need to insert rows if Options.Rows is set. The service writes its coverage when
// it exits by itself, for example after a signal that it handles.
func BuildWithCover(ctx context.Context, o Options) error {
	o, err := o.resolved()
	if err != nil {
		return err
	}
	t, err := openToolchain(ctx, o.Dir)
	if err != nil {
		return err
	}
	var cover []string
	if len(o.Cover) > 0 {
		cover = append(cover, "-coverpkg="+strings.Join(o.Cover, ","))
	}
	return plain(ctx, t, o, o.Package, cover...)
}

// plain builds a package with -cover and additional flags, without probes.
func plain(ctx context.Context, t *toolchain, o Options, pkg string, more ...string) error {
	args := slices.Concat([]string{"build", "-o", o.Out}, o.flags(), linkerFlags(t), []string{"-cover"}, more)
	if o.Net || o.Rows {
		return plainWithOverlay(ctx, t, o, args, pkg)
	}
	_, err := t.run(ctx, append(args, pkg)...)
	return err
}

// plainWithOverlay builds a package with -cover and a changed standard library. With -cover, the go command ignores an
// overlay only for the packages whose coverage it counts. These do not include the standard library.
func plainWithOverlay(ctx context.Context, t *toolchain, o Options, args []string, pkg string) error {
	dir, err := os.MkdirTemp("", "sonde-library-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	over := newOverlay(nil)
	if err := over.changeLibrary(t, o); err != nil {
		return err
	}
	list, err := over.save(dir)
	if err != nil {
		return err
	}
	err = over.run(ctx, t, append(args, "-overlay", list, pkg))
	if other := otherNetwork(err, t); o.Net && other != nil {
		return other
	}
	return err
}

// changeLibrary changes the standard library for a virtual network, and for rows of tests, as far as the options ask
// for them.
func (o *overlay) changeLibrary(t *toolchain, options Options) error {
	if options.Net {
		if err := o.addNetwork(t); err != nil {
			return err
		}
	}
	if options.Rows {
		return o.patchSQL(t.Root)
	}
	return nil
}

// CoverBlock is a block of statements in a coverage profile.
type CoverBlock struct {
	Place      string // "file.go:1.2,3.4"
	Statements int
	Reached    bool
	Times      int // how often the block was reached; if that was not counted, 1 for a reached block
}

// ReadCover returns the blocks of services that were built by BuildWithCover and wrote their
// coverage into a folder. It returns an error if there are no counters: a service writes the blocks when it starts, but
// their counters only if it ends by itself.
func ReadCover(ctx context.Context, dir string) ([]CoverBlock, error) {
	counters, err := filepath.Glob(filepath.Join(dir, "covcounters.*"))
	if err != nil {
		return nil, err
	}
	if len(counters) == 0 {
		return nil, fmt.Errorf("the service wrote no coverage to %s: it must end by itself on a signal", CoverDirVariable)
	}
	return readCover(ctx, dir)
}

// readCover returns the blocks of the coverage in a folder. There are none if the folder is empty.
func readCover(ctx context.Context, dir string) ([]CoverBlock, error) {
	profile := filepath.Join(dir, "profile.txt")
	t := toolchain{dir: dir}
	if _, err := t.run(ctx, "tool", "covdata", "textfmt", "-i", dir, "-o", profile); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	return blocks(text), nil
}

// blocks parses a profile, which has a line for each block.
func blocks(profile []byte) (all []CoverBlock) {
	for lines := bufio.NewScanner(bytes.NewReader(profile)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue // the heading
		}
		n, err := strconv.Atoi(fields[1])
		times, _ := strconv.Atoi(fields[2]) // a number that does not fit is the largest int
		if err == nil {
			all = append(all, CoverBlock{Place: fields[0], Statements: n, Reached: times > 0, Times: times})
		}
	}
	return all
}

// CountStatements returns the number of statements in blocks, and how many are covered.
func CountStatements(blocks []CoverBlock) (part model.CoverageCount) {
	for _, b := range blocks {
		part.All += b.Statements
		if b.Reached {
			part.Covered += b.Statements
		}
	}
	return part
}

// CountBlocks returns the number of blocks, and how many are covered.
func CountBlocks(blocks []CoverBlock) model.CoverageCount {
	part := model.CoverageCount{All: len(blocks)}
	for _, b := range blocks {
		if b.Reached {
			part.Covered++
		}
	}
	return part
}

// UniteBlocks returns the blocks of several runs, each once. A block is reached if one of the runs reached it. Times is
// the sum of the runs.
func UniteBlocks(runs ...[]CoverBlock) (all []CoverBlock) {
	at := map[string]int{}
	for _, blocks := range runs {
		for _, b := range blocks {
			i, known := at[b.Place]
			if !known {
				at[b.Place] = len(all)
				all = append(all, b)
				continue
			}
			all[i].Reached = all[i].Reached || b.Reached
			all[i].Times = max(all[i].Times, all[i].Times+b.Times) // a sum beyond the largest int would be negative
		}
	}
	return all
}
