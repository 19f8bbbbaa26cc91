package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/console"
)

// cutter is an output that cancels a context when something is written to it.
type cutter struct {
	bytes.Buffer
	cut context.CancelFunc
}

func (c *cutter) Write(p []byte) (int, error) {
	c.cut()
	return c.Buffer.Write(p)
}

// Seqs are printed while they are listed: the first of 30⁶ seqs appear at once.
func TestSeqsPrintsWhileListing(t *testing.T) {
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: Many, version: '1'}\npaths:\n")
	for i := range 30 {
		fmt.Fprintf(&b, "  /r%d: {get: {responses: {200: {description: ok}}}}\n", i)
	}
	path := filepath.Join(t.TempDir(), "many.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, errs := &cutter{cut: cancel}, &bytes.Buffer{}
	root := newRoot(console.Streams{In: strings.NewReader(""), Out: out, Err: errs})
	root.SetArgs([]string{"seqs", path, "--rule", "sc", "--limit", "999999999", "--length", "6"})
	code := exitCode(root.ExecuteContext(ctx), errs)
	if code != exitUsage || errs.String() != "sonde: interrupted\n" {
		t.Errorf("exit code %d, errors %q", code, errs.String())
	}
	if !strings.HasPrefix(out.String(), "GET /r0\nGET /r1\n") || !strings.Contains(out.String(), "\nGET /r0, GET /r1\n") {
		t.Errorf("printed %.100q", out.String())
	}
}
