package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// With --state, a snapshot restores the sales that the recording needs before each test, so that each test
// consists of the call under test only.
func TestGenerateState(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds a service")
	}
	binary, spec := buildTill(t)
	dir := t.TempDir()
	sales, snapshot := filepath.Join(dir, "sales"), filepath.Join(dir, "snapshot")
	for _, file := range []string{sales, snapshot} {
		if err := os.WriteFile(file, []byte("700\n1200"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"TILL_SALES=" + sales}
	r := recordingWith(t, env, "--spec", spec, "--", binary, "127.0.0.1:{port}")
	get(t, r.in+"/sales/2")
	for range 2 {
		res, err := http.Post(r.in+"/sales", "text/plain", strings.NewReader("90"))
		if err != nil || res.StatusCode != 201 {
			t.Fatal(res, err)
		}
		res.Body.Close()
	}
	r.ended(t, 0)
	if err := os.Remove(sales); err != nil {
		t.Fatal(err)
	}
	if _, printed := generated(t, env, r.folder, 1); !strings.Contains(printed, " TestGetSale_200_OO: ") {
		t.Errorf("without the snapshot: %s", printed)
	}
	if _, printed := generated(
		t, env, r.folder, 2, "--state", "cp nowhere "+sales,
	); !strings.Contains(printed, "sonde: no test reached its first call: ") || !strings.Contains(printed, "'nowhere'") {
		t.Errorf("with none that is there: %s", printed)
	}
	state := fmt.Sprintf("cp %s %s", snapshot, sales)
	file, _ := generated(t, env, r.folder, 0, "--state", state)
	if want := `run(t, service.dir, service.env, "sh", "-c", "` + state + `")`; !strings.Contains(file, want) ||
		strings.Contains(file, "service.restart(t)") {
		t.Errorf("the tests have no %s: %s", want, file)
	}
	if !strings.Contains(file, "--state '"+state+"'") {
		t.Errorf("they are not made again by the same command: %s", file)
	}
}
