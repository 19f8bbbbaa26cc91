package cli_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"sonde/runner/testdata/dbserver"
	"sonde/runner/testdata/port"
)

// visitOrders sends typical requests to the service of testdata/grpc/orders, the last ones concurrently.
func visitOrders(t *testing.T, in string) {
	for _, sku := range []string{"apple", "pear", "plum"} {
		delivery := `[{"sku": "` + sku + `", "count": 5, "weight": 0.25, "price": {"units": 3, "cents": -5, "currency": "EUR"},
			"labels": ["fruit", "ripe"], "sizes": [1, 300, 3], "code": "/wD+", "fragile": true}, {"sku": "` + sku + `-small", "count": 1}]`
		request(t, "POST", in+"/deliveries", delivery, 201)
		request(t, "POST", in+"/deliveries", "[]", 400)
		request(t, "GET", in+"/items/"+sku, "", 200)
		request(t, "GET", in+"/items/no-"+sku, "", 404)
		request(t, "GET", in+"/items?prefix="+sku, "", 200)
		var placed struct{ ID string }
		if err := json.Unmarshal([]byte(request(t, "POST", in+"/orders", `{"sku": "`+sku+`", "count": 2}`, 201)), &placed); err != nil {
			t.Fatal(err)
		}
		request(t, "POST", in+"/orders", `{"sku": "`+sku+`", "count": 9}`, 409)
		request(t, "POST", in+"/orders", `{"sku": "no-`+sku+`", "count": 1}`, 404)
		request(t, "POST", in+"/orders", `{"count": 1}`, 400)
		request(t, "DELETE", in+"/orders/"+placed.ID, "", 204)
		request(t, "DELETE", in+"/orders/"+placed.ID, "", 404)
	}
	request(t, "GET", in+"/items", "", 400)
	request(t, "GET", in+"/items?prefix=zz", "", 200)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { request(t, "GET", in+"/items/pear", "", 200) })
		all.Go(func() { request(t, "GET", in+"/items?prefix=plum", "", 200) })
	}
	all.Wait()
}

// TestGRPC records a service that calls a host by gRPC, in two ways. With the built-in network, the service uses TLS
// and passes on the traces of requests. With a proxy, requests are passed on one at a time. The generated tests are
// played without the host.
func TestGRPC(t *testing.T) {
	t.Parallel()
	config := moduleService(t, "grpc", "orders")
	dir := t.TempDir()
	for _, name := range []string{"orders", "warehouse"} {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, name), "./"+name)
		build.Dir = filepath.Dir(filepath.Dir(config))
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	warehouse := func(t *testing.T) string {
		addr := port.Addr()
		startProgram(t, filepath.Join(dir, "warehouse"), addr)
		dbserver.Await(t, addr)
		return addr
	}
	t.Run("built in", func(t *testing.T) {
		t.Parallel()
		r := recording(t, "--config", config, "--net", "--out", "warehouse.example:50051=http://"+warehouse(t))
		visitOrders(t, r.in)
		tests := checkRecordedCalls(t, r, "grpc warehouse.example/stock.v1.Stock/Release", "trace", "3")
		if fullForm() {
			checkMutants(t, config, tests)
		}
	})
	t.Run("out", func(t *testing.T) {
		t.Parallel()
		addr, own := warehouse(t), port.Addr()
		r := recording(
			t, "--spec", filepath.Join(filepath.Dir(config), "openapi.yaml"), "--serial", "--in", "127.0.0.1:0=http://127.0.0.1:{port}",
			"--out", own+"=http://"+addr, "--", filepath.Join(dir, "orders"), "127.0.0.1:{port}", own,
		)
		visitOrders(t, r.in)
		checkRecordedCalls(t, r, "grpc "+addr+"/stock.v1.Stock/Release", "serial", "3")
	})
}
