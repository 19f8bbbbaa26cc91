package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sonde/model/codec"
)

// pythonShop returns a folder with a copy of the driver that docs/driver.md shows.
func pythonShop(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs other programs: left out by -short")
	}
	if err := exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run(); err != nil {
		t.Skip("no Python 3.10 or later: the driver of docs/driver.md is not tried")
	}
	return copyOf(t, "../../docs/driver")
}

// nodeShop returns a folder with a copy of the driver in JavaScript.
func nodeShop(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs other programs: left out by -short")
	}
	text, err := exec.Command("node", "--version").Output()
	if version, _, _ := strings.Cut(strings.TrimPrefix(string(text), "v"), "."); err != nil || len(version) < 2 || version < "20" {
		t.Skipf("no Node 20 or later, but %q: the driver in docs/driver/node is not tried", text)
	}
	return copyOf(t, "../../docs/driver/node")
}

// copyOf copies a folder to a new temporary folder, and returns the path of the copy.
func copyOf(t *testing.T, folder string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sonde runs a command of sonde, checks that its exit code is want, and returns its output.
func sonde(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(args, strings.NewReader(""), &out, &errs); code != want {
		t.Fatalf("%q: exit code %d, want %d: %s%s", args, code, want, &out, &errs)
	}
	return out.String() + errs.String()
}

// A search with the driver of docs/driver.md starts the service and reads its coverage. When it is repeated with
// --replay, it has the same results, with one copy of the service and with two.
func TestPythonDriver(t *testing.T) {
	t.Chdir(pythonShop(t))
	if text := sonde(t, 0, "check", "--sut"); !strings.Contains(text, "answers, shop, Python") ||
		!strings.Contains(text, "43 known, 43 of them for statements") {
		t.Error(text)
	}
	for _, workers := range []string{"1", "2"} {
		run, again := "run"+workers, "again"+workers
		text := sonde(t, 0, "search", "--calls", "250", "--workers", workers, "-o", run)
		if !regexp.MustCompile(`source +(9[0-9]|100)\.[0-9]% of statements \(4[0-9] of 43\)`).MatchString(text) ||
			strings.Contains(text, "warning") {
			t.Error(text)
		}
		if text := sonde(t, 0, "search", "--replay", run, "-o", again); !strings.Contains(text, "the same tests as in "+run) {
			t.Error(text)
		}
		for _, name := range []string{"code.json", "cover.out"} {
			if first, second := fileOf(t, run, name), fileOf(t, again, name); first != second {
				t.Errorf("%s:\n%s\nthen\n%s", name, first, second)
			}
		}
	}
	if profile := fileOf(t, "run1", "cover.out"); !strings.Contains(profile, "./shop.py:19.1,") {
		t.Error(profile)
	}
	read, err := codec.OpenRun("run1")
	if err != nil || read.Service != nil || read.Driver == nil || len(read.Driver.Run.Command) != 4 || len(read.Code) == 0 {
		t.Errorf("%v, %+v", err, read.RunHeader)
	}
	exportsDriveService(t, "run1")
	if text := sonde(t, 0, "search", "--resume", "run1", "--calls", "300"); !strings.Contains(text, "of 43)") {
		t.Error(text)
	}
	if text := sonde(t, 0, "search", "--black", "--calls", "150", "-o", "black"); !strings.Contains(text, "of 43)") ||
		strings.Contains(fileOf(t, "black", "suite.json"), `"code"`) {
		t.Error(text)
	}
}

// The driver in JavaScript gives the specification and the user, and reports how near a test comes to each branch. So
// a white-box search finds the only value of a million for which count === 1440 is true, and a black-box search does
// not. Exported tests need the secret of the user.
func TestNodeDriver(t *testing.T) {
	t.Chdir(nodeShop(t))
	if text := sonde(t, 0, "check", "--sut"); !strings.Contains(text, "shop, Node") || !strings.Contains(text, "of the driver: ann") ||
		!strings.Contains(text, "44 known, 28 of them for statements and 8 for branches") {
		t.Error(text)
	}
	pallet := "shop.mjs:" + lineOf(t, "shop.mjs", "// a pallet") + ":3.0:true"
	text := sonde(t, 0, "search", "--calls", "2000", "-o", "white")
	if !strings.Contains(text, "100.0% of statements") || strings.Contains(text, "warning") ||
		!strings.Contains(fileOf(t, "white", "code.json"), `"`+pallet+`"`) {
		t.Errorf("%s is not covered: %s", pallet, text)
	}
	if text := sonde(t, 0, "search", "--black", "--calls", "1000", "-o", "black"); !strings.Contains(text, "of 28)") ||
		strings.Contains(text, "100.0% of statements") {
		t.Error(text)
	}
	sonde(t, 0, "export", "white", "-o", "tests")
	t.Setenv("SONDE_BASE_URL", "")
	t.Setenv("SONDE_ANN_TOKEN", "ann's own")
	if text, err := goTest("tests", "-count=1"); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// lineOf returns the number of the line of a file that has a text.
func lineOf(t *testing.T, file, text string) string {
	t.Helper()
	before, _, _ := strings.Cut(fileOf(t, file), text)
	return strconv.Itoa(strings.Count(before, "\n") + 1)
}

// unusualJavaScript has syntax that a program which adds probes without a parser may misread, such as regular
// expressions and nested templates. With probes it must print the same as without.
const unusualJavaScript = "// if (a)\nlet log = [];\nconst say = (x) => { log.push(x); return x; };\n" + `
const text = "if (x) { // no comment", other = 'it\'s "quoted"', path = /[/'"](if \()/g;
const inner = ` + "`a ${[1, 2].map((n) => { if (n > 1) { return `<${n}>`; } return n; })} if (b) {`" + `;
class Shop {
  static count = 3;
  name() { return "shop"; }
  if(x) { return x; }
}
function kind(n) {
  switch (n) {
    case 1: {
      if (n < 0) return "less";
      return n ? "one" : {
        n
      };
    }
    default:
      if (n === 2 || (n >= 3 && n < 5) || !(n !== 7)) { return "some"; } else if (n > 9) return "many"
  }
  return "none";
}
const shape = {
  if: 1,
  while: 2,
};
let k = 0
while (k < 3 && say(k) != 2) k++
do {
  k--;
} while (k > 0);
if (shape.if == "1") say("loose");
if (say(0) ?? say(1)) say("never");
if ((say(2), say(3))) say("comma");
if ([4, 5].some((n) => n === 5) && "b" in { b: 1 }) say("inside");
if (text / 2 > 1 || "a" < "b") say(text.replace(path, "$&-"));
if (undefined >= 1) say("never");
try {
  if (new Shop().if(true)) throw new Error("x");
} catch {
  say("caught");
}
export const out = JSON.stringify([log, text, other, inner, shape, [1, 2, 3, 5, 7, 10].map(kind), Shop.count, new Shop().name()]);
`

// Probes do not change what a service does.
func TestNodeProbes(t *testing.T) {
	t.Chdir(nodeShop(t))
	if err := os.WriteFile("unusual.mjs", []byte(unusualJavaScript), 0o600); err != nil {
		t.Fatal(err)
	}
	const script = `
import { readFileSync } from "node:fs";
import { changed, test } from "./probe.mjs";
const { text, targets } = changed(readFileSync("unusual.mjs", "utf8"), "unusual.mjs");
const run = async (code) => (await import("data:text/javascript," + encodeURIComponent(code))).out;
const want = await run(readFileSync("unusual.mjs", "utf8")), got = await run(text);
const unknown = [...test.keys()].filter((id) => !targets.some((t) => t.id === id));
console.log(got === want ? "same" : want + "\n" + got + "\n" + text, targets.length > 50, unknown.length, text.split("\n").length)
process.exit(0);
`
	if err := os.WriteFile("try.mjs", []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("node", "try.mjs").CombinedOutput()
	if want := fmt.Sprintf("same true 0 %d\n", strings.Count(unusualJavaScript, "\n")+1); err != nil || string(text) != want {
		t.Errorf("%v: got %s, want %s", err, text, want)
	}
}

// exportsDriveService exports the tests of a run in both formats for Go, and checks them. The tests must start the
// driver, which starts and resets the service. They must fail if the service computes other prices.
func exportsDriveService(t *testing.T, run string) {
	t.Helper()
	t.Setenv("SONDE_BASE_URL", "")
	for _, format := range []string{"go", "go-table"} {
		text := sonde(t, 0, "export", run, "--format", format, "-o", format)
		if !strings.Contains(text, `starts the driver of the service by "python3 -B driver.py {port}"`) {
			t.Errorf("%s: %s", format, text)
		}
		if text, err := goTest(format, "-count=2"); err != nil {
			t.Errorf("%s: %v\n%s", format, err, text)
		}
	}
	shop := fileOf(t, "shop.py")
	changed := strings.Replace(shop, "count * 3", "count * 4", 1)
	if err := os.WriteFile("shop.py", []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := goTest("go", "-count=1"); err == nil || changed == shop || !strings.Contains(text, `at "/price", got`) {
		t.Errorf("a changed service: %v\n%s", err, text)
	}
	if err := os.WriteFile("shop.py", []byte(shop), 0o600); err != nil {
		t.Fatal(err)
	}
	text := sonde(t, 0, "export", run, "--format", "hurl", "-o", "hurl")
	if !strings.Contains(text, "The service is not started by its driver, as --format go does: start the driver by") ||
		!strings.Contains(fileOf(t, "hurl", "sonde.hurl"), "# The service is not reset by its driver before each test, as") {
		t.Error(text)
	}
}

// goTest runs the exported Go tests in a folder.
func goTest(dir string, args ...string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return "", err
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	c := exec.Command("go", append(append([]string{"test"}, args...), files...)...)
	c.Dir = dir
	text, err := c.CombinedOutput()
	return string(text), err
}

func fileOf(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
