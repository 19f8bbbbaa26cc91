package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/app/service"
)

const shopRequests = `# These notes stay.
@host = http://127.0.0.1:1

### List two
# the first page
GET {{host}}/products?limit={{limit}}

### Broken
not a request
`

// A request is sent by hand, saved in the project, played, and exported as a Go test, which passes. Files that are changed
// outside the app are read again.
func TestRequestsOfAProject(t *testing.T) {
	wholeProgram(t)
	url, err := service.ServeDemo(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "requests", "shop.http")
	copied(t, shopSpec, filepath.Join(dir, "shop.json"))
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		file: shopRequests,
		filepath.Join(dir, "sonde.yaml"): "spec: shop.json\nurl: " + url + "\nvariables:\n  limit: \"2\"\n" +
			"auth:\n  - name: admin\n    fixedHeaders:\n      - {name: Authorization, value: \"Bearer ${SHOP_TOKEN}\"}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SHOP_TOKEN", "demo-admin")
	s := begin(t, command(t, dir, "sonde"), 120, 36)
	keys(t, s, "", "New here?", ctrlX, "")
	keys(t, s, "", "1 problem", "!", "1 of 1 problem", esc, "")
	waitUntilGone(t, s, "1 of 1 problem")
	keys(t, s, "4", "file      List two  shop.http", "R", "f1 was played", "~", "Command log", esc, "")
	waitUntilGone(t, s, "Command log")

	keys(t, s, "1", "▸1 Explore", "/", "to the list", "POST /products", "POST /products", enter, "⏎ open", enter, "← operations",
		"r", "send POST /products", "r", "✓ 201", "w", "Save the request", "\x15", "▸ name   ", "Make one", "▸ name         Make one",
		enter, `Saved "Make one" in requests/shop.http`)
	text, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(text), shopRequests+"\n### Make one\nPOST {{host}}/products\n") ||
		!strings.Contains(string(text), "\nAuthorization: Bearer {{SHOP_TOKEN}}\n") || strings.Contains(string(text), "demo-admin") {
		t.Fatalf("%v, the file is\n%s", err, text)
	}
	keys(t, s, "4", "▸   file      Make one", "R", "f2 was played", " ", "1 picked", "6", "package apitest", "w", "written")

	changed := strings.Replace(string(text), "limit={{limit}}", "limit=1", 1) + "\n### From outside\nGET {{host}}/stores\n"
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	keys(t, s, "4", "From outside")
	wait(t, s, "1 picked")
	leave(t, s)

	output, err := command(t, dir, "sonde", "export", "requests/shop.http", "--format", "curl", "-o", "out").CombinedOutput()
	if err == nil || !strings.Contains(string(output), "3 tests in out/sonde.sh") || strings.Contains(string(output), "no value") {
		t.Errorf("exit code 0: %t, the command says\n%s", err == nil, output)
	}
	test := exec.Command("go", "test", "-count=1", ".")
	test.Dir = filepath.Join(dir, "sonde-tests")
	test.Env = append(os.Environ(), "GO111MODULE=off", "SHOP_TOKEN=demo-admin")
	if output, err := test.CombinedOutput(); err != nil {
		t.Errorf("the exported test: %v\n%s", err, output)
	}
}
