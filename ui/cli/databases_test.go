package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"sonde/runner/lab/mutate"
	"sonde/runner/testdata/dbserver"
	"sonde/runner/testdata/port"
	"sonde/ui/results"
)

// moduleService returns the path of a service's sonde.yaml. The service is the folder name of a Go module in
// runner/testdata. moduleService skips the test if dependencies of the module are not in the module cache; .ci/run
// fetches them.
func moduleService(t *testing.T, module, name string) (config string) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds a service, and starts a host")
	}
	dir, err := filepath.Abs("../../runner/testdata/" + module)
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "./"+name)
	list.Dir, list.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly")
	if out, err := list.CombinedOutput(); err != nil {
		t.Skipf("modules are not here: go mod download in runner/testdata/%s fetches them: %s", module, out)
	}
	return filepath.Join(dir, name, "sonde.yaml")
}

// startRedis starts a Redis without data, and returns its address. It skips the test if Redis is not installed.
func startRedis(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed: its Debian package is redis-server")
	}
	addr := port.Addr()
	_, number, _ := net.SplitHostPort(addr)
	startProgram(t, program, "--bind", "127.0.0.1", "--port", number, "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	dbserver.Await(t, addr)
	return addr
}

// startMariaDB starts a MariaDB with a user and without data, and returns its address. It skips the test if MariaDB
// is not installed.
func startMariaDB(t *testing.T) string {
	t.Helper()
	const program = "/usr/sbin/mariadbd"
	if _, err := os.Stat(program); err != nil {
		t.Skip("MariaDB is not installed: its Debian package is mariadb-server")
	}
	folder, as := dbserver.Folder(t, "mysql")
	data, users := "--datadir="+filepath.Join(folder, "data"), filepath.Join(folder, "users.sql")
	install := as("mariadb-install-db", "--no-defaults", data, "--auth-root-authentication-method=normal")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const user = "CREATE USER librarian@'%' IDENTIFIED BY 'paper';\nGRANT ALL ON test.* TO librarian@'%';\n"
	if err := os.WriteFile(users, []byte(user), 0o644); err != nil {
		t.Fatal(err)
	}
	addr := port.Addr()
	_, number, _ := net.SplitHostPort(addr)
	dbserver.Start(t, as(
		program, "--no-defaults", data, "--bind-address=127.0.0.1", "--port="+number, "--socket="+filepath.Join(folder, "socket"),
		"--pid-file="+filepath.Join(folder, "pid"), "--init-file="+users, "--skip-name-resolve", "--innodb-flush-log-at-trx-commit=0",
	), syscall.SIGTERM)
	dbserver.Await(t, addr)
	return addr
}

// startProgram starts a program, and kills it at the end of the test.
func startProgram(t *testing.T, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
}

// request sends a request with a body of JSON, and returns the body of the answer. want is the expected status.
func request(t *testing.T, method, target, body string, want int) string {
	t.Helper()
	req, err := http.NewRequest(method, target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := clientOf(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		t.Errorf("%s %s: %d %s, %v, want %d", method, target, res.StatusCode, said, err, want)
	}
	return string(said)
}

// testClients has the client of each test.
var testClients sync.Map

// clientOf returns the HTTP client of a test. Tests do not share a client, because the recorder of an earlier test may
// have had the same port: a request on a connection to that recorder would fail.
func clientOf(t *testing.T) *http.Client {
	c, known := testClients.LoadOrStore(t, &http.Client{Transport: &http.Transport{}})
	client, _ := c.(*http.Client)
	if !known {
		t.Cleanup(func() {
			client.CloseIdleConnections()
			testClients.Delete(t)
		})
	}
	return client
}

// shopForCarts sends typical requests to the service of testdata/databases/carts, the last ones concurrently.
func shopForCarts(t *testing.T, in string) {
	for _, user := range []string{"ann", "bob", "cid"} {
		cart := in + "/carts/" + user
		request(t, "GET", cart, "", 404)
		request(t, "POST", cart+"/items", `{"product": "apple", "count": 2}`, 201)
		request(t, "POST", cart+"/items", `{"product": "pear", "count": 1}`, 201)
		request(t, "POST", cart+"/items", `{"count": 1}`, 400)
		request(t, "GET", cart, "", 200)
		request(t, "POST", cart+"/checkout", "", 201)
		request(t, "POST", cart+"/checkout", "", 409)
		request(t, "GET", in+"/top", "", 200)
		request(t, "DELETE", cart, "", 204)
		var session struct{ ID string }
		if err := json.Unmarshal([]byte(request(t, "POST", in+"/sessions", "", 201)), &session); err != nil {
			t.Fatal(err)
		}
		request(t, "GET", in+"/sessions/"+session.ID, "", 200)
		request(t, "GET", in+"/sessions/none", "", 404)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { request(t, "GET", in+"/top", "", 200) })
		all.Go(func() { request(t, "GET", in+"/carts/dan", "", 404) })
	}
	all.Wait()
}

// shopForProducts sends typical requests to the service of testdata/databases/shop, the last ones concurrently.
func shopForProducts(t *testing.T, in string) {
	for _, name := range []string{"apple", "pear", "plum"} {
		var added struct{ ID int }
		body := `{"name": "` + name + `", "price": "1.50", "stock": 5, "weight": 0.25, "labels": ["fruit", "ripe"]}`
		if err := json.Unmarshal([]byte(request(t, "POST", in+"/products", body, 201)), &added); err != nil {
			t.Fatal(err)
		}
		request(t, "POST", in+"/products", body, 409)
		request(t, "POST", in+"/products", `{"price": "1.50"}`, 400)
		one := in + "/products/" + strconv.Itoa(added.ID)
		request(t, "GET", one, "", 200)
		request(t, "GET", in+"/products/999", "", 404)
		request(t, "GET", in+"/products?name="+name[:2], "", 200)
		request(t, "POST", one+"/sales", `{"count": 2, "buyer": "ann"}`, 201)
		request(t, "POST", one+"/sales", `{"count": 1, "buyer": "bob"}`, 201)
		request(t, "POST", one+"/sales", `{"count": 9, "buyer": "bob"}`, 409)
		request(t, "POST", in+"/products/998/sales", `{"count": 1, "buyer": "bob"}`, 404)
		request(t, "GET", one+"/sales", "", 200)
		request(t, "DELETE", one, "", 409)
		request(t, "DELETE", in+"/products/997", "", 404)
	}
	request(t, "GET", in+"/products", "", 200)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { request(t, "GET", in+"/products/1", "", 200) })
		all.Go(func() { request(t, "GET", in+"/products?name=pear", "", 200) })
	}
	all.Wait()
}

// TestPostgres records a service with a pool of connections to a real PostgreSQL. The generated tests run without
// PostgreSQL.
func TestPostgres(t *testing.T) {
	t.Parallel()
	testDatabase(t, databaseTest{
		service: "shop", host: "store.example:5432", start: dbserver.Postgres, visit: shopForProducts,
		kind: "postgres %s DELETE FROM product WHERE id = $1",
	})
}

// visitLibrary sends typical requests to the service of testdata/databases/library, the last ones concurrently.
func visitLibrary(t *testing.T, in string) {
	for _, title := range []string{"apple", "pear's", "plum"} {
		var added struct{ ID int }
		body := `{"title": "` + title + `", "price": "1.50", "copies": 2, "weight": 0.25, "tags": ["fruit", "ripe"]}`
		if err := json.Unmarshal([]byte(request(t, "POST", in+"/books", body, 201)), &added); err != nil {
			t.Fatal(err)
		}
		request(t, "POST", in+"/books", body, 409)
		request(t, "POST", in+"/books", `{"price": "1.50"}`, 400)
		one := in + "/books/" + strconv.Itoa(added.ID)
		request(t, "GET", one, "", 200)
		request(t, "GET", in+"/books/999", "", 404)
		request(t, "GET", in+"/books?title="+title[:2], "", 200)
		request(t, "POST", one+"/loans", `{"days": 14, "reader": "ann"}`, 201)
		request(t, "POST", one+"/loans", `{"days": 7, "reader": "o'bob \\"}`, 201)
		request(t, "POST", one+"/loans", `{"days": 7, "reader": "cid"}`, 409)
		request(t, "POST", in+"/books/998/loans", `{"days": 1, "reader": "bob"}`, 404)
		request(t, "GET", one+"/loans", "", 200)
		request(t, "DELETE", one, "", 409)
		request(t, "DELETE", in+"/books/997", "", 404)
	}
	request(t, "GET", in+"/books", "", 200)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { request(t, "GET", in+"/books/1", "", 200) })
		all.Go(func() { request(t, "GET", in+"/books/1/loans", "", 200) })
	}
	all.Wait()
}

// TestMySQL records a service with two pools of connections to a real MariaDB, one with prepared statements and one
// without. The generated tests run without MariaDB.
func TestMySQL(t *testing.T) {
	t.Parallel()
	testDatabase(t, databaseTest{
		service: "library", host: "books.example:3306", start: startMariaDB, visit: visitLibrary,
		kind: "mysql %s DELETE FROM book WHERE id = ?",
	})
}

// TestRedis records a service with a pool of connections to a real Redis. The generated tests run without Redis.
func TestRedis(t *testing.T) {
	t.Parallel()
	testDatabase(t, databaseTest{
		service: "carts", host: "cache.example:6379", start: startRedis, visit: shopForCarts, kind: "redis %s HGETALL",
	})
}

// databaseTest is a service with a database.
type databaseTest struct {
	service string                        // its folder in runner/testdata/databases
	host    string                        // the address of the database in its configuration
	start   func(t *testing.T) string     // starts the database, and returns its address
	visit   func(t *testing.T, in string) // sends requests to the service
	kind    string                        // a kind of call in the recording, with %s for the host
}

// testDatabase records the service in two ways: with the built-in network, and with a proxy that passes on one
// request at a time.
func testDatabase(t *testing.T, d databaseTest) {
	config := moduleService(t, "databases", d.service)
	t.Run("built in", func(t *testing.T) {
		t.Parallel()
		r := recording(t, "--config", config, "--net", "--out", d.host+"=tcp://"+d.start(t))
		d.visit(t, r.in)
		name, _, _ := net.SplitHostPort(d.host)
		tests := checkRecordedCalls(t, r, fmt.Sprintf(d.kind, name), "context", "2")
		if fullForm() {
			checkMutants(t, config, tests)
		}
	})
	t.Run("out", func(t *testing.T) {
		t.Parallel()
		addr, binary := d.start(t), filepath.Join(t.TempDir(), d.service)
		build := exec.Command("go", "build", "-o", binary, ".")
		build.Dir = filepath.Dir(config)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		own := port.Addr()
		r := recording(
			t, "--spec", filepath.Join(filepath.Dir(config), "openapi.yaml"), "--serial", "--in", "127.0.0.1:0=http://127.0.0.1:{port}",
			"--out", own+"=tcp://"+addr, "--", binary, "127.0.0.1:{port}", own,
		)
		d.visit(t, r.in)
		checkRecordedCalls(t, r, fmt.Sprintf(d.kind, addr), "serial", "2")
	})
}

// checkRecordedCalls ends a recording, and checks that it has calls of the given kind, whose causes were found by the
// method attribution. It then generates tests and plays them, in the given number of runs; with -campaigns there are
// 10. At least 95% of the tests with outward calls must mimic, that is, pass in every run. checkRecordedCalls returns
// the folder of the tests.
func checkRecordedCalls(t *testing.T, r *recorder, kind, attribution, runs string) (tests string) {
	t.Helper()
	if text := r.ended(t, 0); !regexp.MustCompile(regexp.QuoteMeta(kind) + " +" + attribution + " ×").MatchString(text) {
		t.Errorf("the recording has no %s by %s: %s", kind, attribution, text)
	}
	if fullForm() {
		runs = "10"
	}
	// The PATH has no sonde, so the binary under test must build the service itself.
	_, printed := generated(t, []string{"PATH=" + os.Getenv("PATH")}, r.folder, 0, "--runs", runs)
	found := regexp.MustCompile(`Of the tests with outward calls, (\d+) of (\d+) mimic`).FindStringSubmatch(printed)
	if found == nil || !strings.Contains(printed, "in all of "+runs+" runs") {
		t.Fatalf("no number of tests that mimic in %s", printed)
	}
	mimic, _ := strconv.Atoi(found[1])
	all, _ := strconv.Atoi(found[2])
	t.Log(found[0])
	if all < 20 || mimic*100 < all*95 {
		t.Errorf("%d of %d tests mimic, want 95%%: %s", mimic, all, printed)
	}
	file := regexp.MustCompile(`(?m)^(.*)/sonde_test\.go$`).FindStringSubmatch(printed)
	if file == nil {
		t.Fatalf("no folder of tests in %s", printed)
	}
	return file[1]
}

// checkMutants checks that the oracles of tests notice at least 60% of a sample of the service's mutants.
func checkMutants(t *testing.T, config, tests string) {
	t.Helper()
	c := bounded(t, program(t), "mutate", "--tests", tests, "--config", config, "--sample", "60", "--json")
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(program(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	c.Stderr = os.Stderr
	out, _ := c.Output() // the exit code reports that mutants survive
	var report results.MutateReport
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("the oracles notice %d of %d mutants", report.All.Together, report.All.Judged)
	for _, m := range report.Results {
		if m.Status == mutate.Survived {
			t.Logf("survived: %s:%d %s: %s => %s", m.File, m.Line, m.Operator, m.Before, m.After)
		}
	}
	if report.All.Judged < 40 || report.All.Together*100 < report.All.Judged*60 {
		t.Errorf("the oracles notice %d of %d mutants, want 60%%", report.All.Together, report.All.Judged)
	}
}
