// Command corpus fetches the specs that tests and benchmarks read. The specs are by other authors, under
// other licences than Sonde's, and come from the public repositories that publish them:
//
//	go run ./docs/corpus [-mirror FOLDER=REPOSITORY] [DIR]
//
// DIR is ../shared/specs by default; the tests look there. Each spec is fetched by the git hash of its
// bytes, so that every clone tests the same specs; git checks the hash. Specs that are already in DIR are
// not fetched again. The two tables of results that tests expect for the specs are written to DIR, too.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	mirrors := mirrorFlag{}
	flag.Var(mirrors, "mirror", "fetch the specs of a `FOLDER=REPOSITORY` from this repository instead (repeatable)")
	flag.Parse()
	if flag.NArg() > 1 {
		fmt.Fprintln(os.Stderr, "corpus: more than one folder is given: give one, or none")
		os.Exit(2)
	}
	dir := "../shared/specs"
	if flag.NArg() == 1 {
		dir = flag.Arg(0)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := write(ctx, dir, collections(mirrors))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

// mirrorFlag has the repositories that the user gave, by folder of the corpus.
type mirrorFlag map[string]string

func (m mirrorFlag) String() string { return "" }

func (m mirrorFlag) Set(text string) error {
	folder, repository, ok := strings.Cut(text, "=")
	if !ok || repositories[folder] == "" || repository == "" {
		return fmt.Errorf("want oas2=REPOSITORY or emb=REPOSITORY, got %q", text)
	}
	m[folder] = repository
	return nil
}
