package export_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/assets/templates/run"
	"sonde/export"
)

func runCurl(t *testing.T, dir string, env []string, tests ...string) (string, error) {
	t.Helper()
	runner(t, "curl")
	runner(t, "jq")
	return outcome(t, dir, env, "sh", append([]string{"sonde.sh"}, tests...)...)
}

func TestCurlScriptPasses(t *testing.T) {
	s := export.NewService(t)
	dir, _ := written(t, "curl", export.Served())
	output, err := runCurl(t, dir, []string{"SONDE_BASE_URL=" + s.URL + "/"})
	if err != nil || strings.Count(output, "\nok ") != 7 {
		t.Errorf("%v, want 7 tests that pass:\n%s", err, output)
	}
	export.WantAsked(s, t)
}

func TestCurlScriptSendsAllTexts(t *testing.T) {
	f := newFar(t)
	s := echoes(f.URL, 100)
	dir, made := written(t, "curl", s)
	if output, err := runCurl(t, dir, []string{"SONDE_BASE_URL="}); err != nil {
		t.Errorf("%v in\n%s", err, output)
	}
	wantArrived(t, f, s, made)
}

// A list with which an answer is compared may be too long for the arguments of a program.
func TestCurlComparesLongLists(t *testing.T) {
	runner(t, "jq")
	dir := t.TempDir()
	var items []string
	for i := range 200 {
		items = append(items, fmt.Sprintf(`{"id":"%d%s"}`, i, strings.Repeat("x", 1000)))
	}
	list := "[" + strings.Join(items, ",") + "]"
	for name, text := range map[string]string{
		"body": `{"all":` + list + `}`, "list": list, "other": strings.ReplaceAll(list, "x", "y"),
		"test.sh": "answer=.\nfail() { echo \"$1\"; exit 1; }\nexcerpt() { :; }\n" + run.CurlExpect + `
list=$(cat list) other=$(cat other)
expect unchanged /all "$list"
expect covering '/all/*/id' "$list"
expect disjoint '/all/*/id' "$other"
broken unchanged /all "$other"
broken covering '/all/*/id' "$other"
broken disjoint '/all/*/id' "$list"
expect listed '/all/*' '{"id":"'"$(printf '7%01000d' 0 | tr 0 x)"'"}'
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if output, err := outcome(t, dir, nil, "sh", "test.sh"); err != nil {
		t.Errorf("%v: %.1000s", err, output)
	}
}
