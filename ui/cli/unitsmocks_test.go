package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sonde/runner/replay/unittests"
	"sonde/ui/results"

	"golang.org/x/tools/txtar"
)

// tillMocks are mocks of the till: of each style one of the bank, and one of the store only in moq.
const tillMocks = `
-- order/gomock_test.go --
package order

import (
	"reflect"

	"go.uber.org/mock/gomock"
)

type MockBank struct {
	ctrl     *gomock.Controller
	recorder *MockBankMockRecorder
}

type MockBankMockRecorder struct{ mock *MockBank }

func NewMockBank(ctrl *gomock.Controller) *MockBank {
	m := &MockBank{ctrl: ctrl}
	m.recorder = &MockBankMockRecorder{m}
	return m
}

func (m *MockBank) EXPECT() *MockBankMockRecorder { return m.recorder }

func (m *MockBank) Charge(token string, cents int64) (string, error) {
	m.ctrl.T.Helper()
	ret := m.ctrl.Call(m, "Charge", token, cents)
	ret0, _ := ret[0].(string)
	ret1, _ := ret[1].(error)
	return ret0, ret1
}

func (mr *MockBankMockRecorder) Charge(token, cents any) *gomock.Call {
	mr.mock.ctrl.T.Helper()
	return mr.mock.ctrl.RecordCallWithMethodType(mr.mock, "Charge", reflect.TypeOf((*MockBank)(nil).Charge), token, cents)
}
-- order/testify_test.go --
package order

import (
	"context"

	"github.com/stretchr/testify/mock"
)

type FakeBank struct{ mock.Mock }

func (b *FakeBank) Charge(token string, cents int64) (string, error) {
	args := b.Called(token, cents)
	return args.String(0), args.Error(1)
}

// FakeStore leaves out the contexts.
type FakeStore struct{ mock.Mock }

func (s *FakeStore) Find(_ context.Context, id string) (*Order, error) {
	args := s.Called(id)
	return args.Get(0).(*Order), args.Error(1)
}

func (s *FakeStore) Save(_ context.Context, o *Order) error { return s.Called(o).Error(0) }
-- order/moq_test.go --
package order

import "context"

type BankMoq struct {
	ChargeFunc func(token string, cents int64) (string, error)
}

func (m *BankMoq) Charge(token string, cents int64) (string, error) { return m.ChargeFunc(token, cents) }

type StoreMoq struct {
	FindFunc func(ctx context.Context, id string) (*Order, error)
	SaveFunc func(ctx context.Context, o *Order) error
}

func (m *StoreMoq) Find(ctx context.Context, id string) (*Order, error) { return m.FindFunc(ctx, id) }
func (m *StoreMoq) Save(ctx context.Context, o *Order) error            { return m.SaveFunc(ctx, o) }
-- mocks/mocks.go --
// Package mocks has a mock that tests of package order cannot import.
package mocks

import (
	"context"

	"example.com/till/order"

	"go.uber.org/mock/gomock"
)

type MockStore struct{ ctrl *gomock.Controller }

func NewMockStore(ctrl *gomock.Controller) *MockStore { return &MockStore{ctrl} }

func (m *MockStore) EXPECT() *MockStore { return m }

func (m *MockStore) Find(ctx context.Context, id string) (*order.Order, error) { return nil, nil }
func (m *MockStore) Save(ctx context.Context, o *order.Order) error            { return nil }
`

// writeFiles writes the files of a txtar archive into a folder.
func writeFiles(t *testing.T, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Tests use the project's own mocks. They pass, and each oracle notices a change, whatever the style is.
func TestUnitTestsWithMocksOfTheProject(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it builds a service that records its functions")
	}
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, till)
	r := recording(t, "--config", filepath.Join(dir, "sonde.yaml"), "--net", "--units")
	for path, status := range map[string]int{"/orders/a/payment": 200, "/orders/b/payment": 402, "/orders/c/payment": 404} {
		request(t, "POST", r.in+path, "", status)
	}
	r.ended(t, 0)

	generate := func(style string) ([]byte, error) {
		c := bounded(t, program(t), "generate", "--units", r.folder, "--dir", dir, "--runs", "2", "--json", "--mocks", style)
		c.Stderr = os.Stderr
		return c.Output()
	}
	refused := func(style, want string) {
		t.Helper()
		c := bounded(t, program(t), "generate", "--units", r.folder, "--dir", dir, "--mocks", style)
		if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("--mocks %s: got %v: %s, want %q", style, err, out, want)
		}
	}
	refused("gomock", "go.mod of the module example.com/till does not require go.uber.org/mock or github.com/golang/mock")
	refused("moq", "has no mocks of this style, and no mocks of another style")
	refused("auto", `--mocks "auto" is not known`)

	requireMocks(t, dir, "till")
	writeFiles(t, dir, tillMocks)
	file, source := filepath.Join(dir, "order", unittests.TestsFile), filepath.Join(dir, "order", "order.go")
	was := content(t, source)
	for _, style := range []struct{ name, created, own string }{
		{"gomock", "m := NewMockBank(gomock.NewController(calls.t))", "till/mocks, imports the tested package"},
		{"testify", "m := &FakeBank{}", "order.Store: the mock FakeStore does not pass the arguments of Find to Called"},
		{"moq", "m := &StoreMoq{}", ""},
	} {
		if err := os.WriteFile(source, []byte(was), 0o600); err != nil { // the last change is not undone
			t.Fatal(err)
		}
		out, err := generate(style.name)
		var report results.UnitTestsReport
		if e := json.Unmarshal(out, &report); err != nil || e != nil {
			t.Fatalf("%s: %v, %v: %s", style.name, err, e, out)
		}
		if report.Total.Tests != 6 || len(report.Omitted) != 0 {
			t.Errorf("%s: got %+v", style.name, report.Result)
		}
		var own []string
		for _, o := range report.OwnMocks {
			own = append(own, o.Interface+": "+o.Why)
		}
		if all := strings.Join(own, "\n"); (all == "") != (style.own == "") || !strings.Contains(all, style.own) {
			t.Errorf("%s: got %s", style.name, all)
		}
		if !strings.Contains(content(t, file), style.created) {
			t.Errorf("%s: %q is missing in:\n%s", style.name, style.created, content(t, file))
		}
		vet := exec.Command("go", "vet", "./...")
		vet.Dir = dir
		if out, err := vet.CombinedOutput(); err != nil {
			t.Errorf("%s: %s", style.name, out)
		}
		for _, change := range [][2]string{
			{"", ""},
			{"return receipt, nil", `return receipt + "!", nil`},
			{"t.bank.Charge(o.Token, o.Cents)", "t.bank.Charge(o.Token, o.Cents+1)"},
			{"receipt, err := t.bank.Charge(", "t.bank.Charge(o.Token, o.Cents)\n\treceipt, err := t.bank.Charge("},
		} {
			if err := os.WriteFile(source, []byte(strings.Replace(was, change[0], change[1], 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := goTest(dir, "./order"); (err == nil) != (change[0] == "") {
				t.Errorf("%s, with %q: %v: %s", style.name, change[1], err, out)
			}
		}
	}
}

// requireMocks lets a module without dependencies require the modules of testdata/mocks. It skips the test if they are not on
// this machine.
func requireMocks(t *testing.T, dir, module string) {
	t.Helper()
	from, err := filepath.Abs("../../runner/testdata/mocks")
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", ".")
	list.Dir, list.Env = from, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly")
	if out, err := list.CombinedOutput(); err != nil {
		t.Skipf("modules are not here: go mod download in runner/testdata/mocks fetches them: %s", out)
	}
	text := strings.Replace(content(t, filepath.Join(from, "go.mod")), "example.com/mocks", "example.com/"+module, 1)
	for name, text := range map[string]string{"go.mod": text, "go.sum": content(t, filepath.Join(from, "go.sum"))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
