package cli_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"sonde/runner/testdata/dbserver"
	"sonde/runner/testdata/port"
)

// startRabbitMQ starts a RabbitMQ server without data, and returns its address. It skips the test if RabbitMQ is not
// installed.
func startRabbitMQ(t *testing.T) string {
	t.Helper()
	const program = "/usr/lib/rabbitmq/bin/rabbitmq-server"
	if _, err := os.Stat(program); err != nil {
		t.Skip("RabbitMQ is not installed: its Debian package is rabbitmq-server")
	}
	folder, as := dbserver.Folder(t, "rabbitmq")
	addr, node := port.Addr(), port.Addr()
	_, number, _ := net.SplitHostPort(addr)
	_, between, _ := net.SplitHostPort(node)
	server := as(program)
	server.Env = append(
		server.Env, "HOME="+folder, "RABBITMQ_NODENAME=n"+number+"@localhost", "RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
		"RABBITMQ_NODE_PORT="+number, "RABBITMQ_DIST_PORT="+between, "RABBITMQ_MNESIA_BASE="+folder, "RABBITMQ_LOG_BASE="+folder,
		"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}", "ERL_EPMD_ADDRESS=127.0.0.1",
	)
	dbserver.Start(t, server, os.Interrupt)
	dbserver.Await(t, addr)
	return addr
}

// TestAMQP records a service that uses a real RabbitMQ. The AMQP connection is recorded as raw TCP, and the generated
// tests run without RabbitMQ.
func TestAMQP(t *testing.T) {
	if !fullForm() {
		t.Skip("it starts RabbitMQ: -campaigns")
	}
	config := moduleService(t, "amqp", "queue")
	broker := startRabbitMQ(t)
	t.Run("built in", func(t *testing.T) {
		checkQueue(t, recording(t, "--config", config, "--net", "--out", "mq.example:5672=tcp://"+broker))
	})
	t.Run("out", func(t *testing.T) {
		binary, own := filepath.Join(t.TempDir(), "queue"), port.Addr()
		build := exec.Command("go", "build", "-o", binary, ".")
		build.Dir = filepath.Dir(config)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		checkQueue(t, recording(
			t, "--spec", filepath.Join(filepath.Dir(config), "openapi.yaml"), "--serial", "--in", "127.0.0.1:0=http://127.0.0.1:{port}",
			"--out", own+"=tcp://"+broker, "--", binary, "127.0.0.1:{port}", own,
		))
	})
}

// checkQueue sends requests to the service queue, and checks that all generated tests mimic.
func checkQueue(t *testing.T, r *recorder) {
	t.Helper()
	for _, item := range []string{"tent", "stove", "rope"} {
		request(t, "POST", r.in+"/orders", `{"item": "`+item+`"}`, 202)
		request(t, "POST", r.in+"/orders", `{}`, 400)
		request(t, "GET", r.in+"/orders/next", "", 200)
		request(t, "GET", r.in+"/orders/next", "", 404)
		time.Sleep(1200 * time.Millisecond) // calls that timers make are recognised by pauses of a second
	}
	r.ended(t, 0)
	_, printed := generated(t, []string{"PATH=" + os.Getenv("PATH")}, r.folder, 0, "--runs", "10")
	found := regexp.MustCompile(`Of the tests with outward calls, (\d+) of (\d+) mimic`).FindStringSubmatch(printed)
	if found == nil || found[1] != found[2] || found[1] == "0" {
		t.Fatalf("not all tests mimic: %s", printed)
	}
	t.Log(found[0])
}
