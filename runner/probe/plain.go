package probe

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sonde/model"
)

// CoverDir is the variable of the environment that names the folder in which a
// service that Plain built leaves what was reached of it.
const CoverDir = "GOCOVERDIR"

// Plain builds a main package as go build -cover does: what is reached of it is
// then counted by Go itself, and not by our probes. The virtual network may be in
// it. Such a service tells it when it
// ends by itself, be it because it was asked to.
func Plain(ctx context.Context, o Options) error {
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

// plain builds a package to be counted, with some flags more.
func plain(ctx context.Context, t *toolchain, o Options, pkg string, more ...string) error {
	args := append(append(append([]string{"build", "-o", o.Out}, o.flags()...), "-cover"), more...)
	if o.Net {
		return plainWithNetwork(ctx, t, args, pkg)
	}
	_, err := t.run(ctx, append(args, pkg)...)
	return err
}

// plainWithNetwork builds with the virtual network: go build -cover leaves out what
// an overlay says of the packages that it counts, but not of the standard library.
func plainWithNetwork(ctx context.Context, t *toolchain, args []string, pkg string) error {
	dir, err := os.MkdirTemp("", "sonde-network-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	over := &overlay{sources: map[string][]byte{}, replaced: map[string]string{}}
	if err := over.addNetwork(t); err != nil {
		return err
	}
	list, err := over.save(dir)
	if err != nil {
		return err
	}
	err = over.run(ctx, t, append(args, "-overlay", list, pkg))
	if other := otherNetwork(err, t); other != nil {
		return other
	}
	return err
}

// Block is some statements that run one after the other, as Go counts them.
type Block struct {
	Place      string // "file.go:1.2,3.4"
	Statements int
	Reached    bool
	Times      int // it was reached; 1 where that was not counted
}

// Counted are the blocks of services which Plain built, by what these left in a
// folder.
func Counted(ctx context.Context, dir string) ([]Block, error) {
	profile := filepath.Join(dir, "profile.txt")
	t := toolchain{dir: dir}
	if _, err := t.run(ctx, "tool", "covdata", "textfmt", "-i", dir, "-o", profile); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	all := blocks(text)
	if len(all) == 0 {
		return nil, fmt.Errorf("the service left nothing in %s: it must end by itself when it is asked to", CoverDir)
	}
	return all, nil
}

// blocks reads a profile, whose lines are of a block each.
func blocks(profile []byte) (all []Block) {
	for lines := bufio.NewScanner(bytes.NewReader(profile)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue // the head
		}
		n, err := strconv.Atoi(fields[1])
		times, _ := strconv.Atoi(fields[2]) // more than an int holds are as good as all that it holds
		if err == nil {
			all = append(all, Block{Place: fields[0], Statements: n, Reached: times > 0, Times: times})
		}
	}
	return all
}

// Statements are those of blocks.
func Statements(blocks []Block) (part model.Part) {
	for _, b := range blocks {
		part.All += b.Statements
		if b.Reached {
			part.Covered += b.Statements
		}
	}
	return part
}
