package record

import (
	"context"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

// invoked returns functions of a shop: two that were invoked, one that was not, and one with control characters.
func invoked() []usecase.RecordedFunction {
	return []usecase.RecordedFunction{
		{
			Package: "example.com/shop/internal/order", Name: "(*Shop).Pay", File: "/src/shop/internal/order/shop.go", Line: 15,
			Invocations: 12, Unusable: 2, Why: "a mutex is locked: (*Shop).mu",
			Sites: []usecase.RecordedSite{
				{Line: 17, Target: "s.bank", Method: "Charge", Calls: 10}, {Line: 21, Target: "s.now", Calls: 12},
			},
		},
		{
			Package: "example.com/shop/internal/stock", Name: "Reserve", File: "/src/shop/internal/stock/stock.go", Line: 40,
			Invocations: 3, Sites: []usecase.RecordedSite{{Line: 44, Target: "store", Method: "Take", Calls: 7}},
		},
		{
			Package: "example.com/shop/internal/order", Name: "(*Shop).Watch", File: "/src/shop/internal/order/shop.go", Line: 60,
			Obstacles: []string{"s.events is a channel"},
			Sites:     []usecase.RecordedSite{{Line: 61, Target: "s.log", Method: "Add"}},
		},
		{
			Package: "e\x1b[2J", Name: "Evil\x1b]0;x\x07\u202e", File: "/src/e\x1b.go", Line: 1, Why: "\x1b[31m",
			Obstacles: []string{"\u009b"},
		},
	}
}

// F lists the functions under test of a recording, and shows the exchange again. The list is read anew each time.
func TestFunctions(t *testing.T) {
	d := toPayment(t)
	d.press("F").sees("Functions under test", "has no invocations of functions")
	d.press("F").misses("Functions under test")
	d.invoked = invoked()
	d.press("F").sees("4 functions, 2 invoked; 15 invocations", "sonde generate --units rec", "(*Shop).Pay", "shop.go:15",
		"12 recorded, 2 of no use", "s.bank.Charge ×10  line 17", "s.now ×12  line 21")
	if strings.ContainsAny(d.view(), "\x1b\x07\u009b\u202e") {
		t.Error("control characters reach the screen")
	}
}

// The list follows a recording in progress, and is read again only if there are more invocations.
func TestFunctionsFollow(t *testing.T) {
	var read []string
	f := functions{api: usecase.Recordings{Functions: func(_ context.Context, dir string) ([]usecase.RecordedFunction, error) {
		read = append(read, dir)
		return invoked(), nil
	}}}
	if f.follow("rec", 0) != nil {
		t.Error("it is read without invocations")
	}
	cmd := f.follow("rec", 3)
	if cmd == nil || f.follow("rec", 4) != nil {
		t.Fatal("it must be read once at a time")
	}
	f.update(cmd().(functionsRead))
	if f.follow("rec", 3) != nil || f.follow("rec", 4) == nil || len(f.all) == 0 || len(read) != 1 {
		t.Errorf("got %v, %d functions", read, len(f.all))
	}
}

// Another recording has other functions. A late result of an earlier reading is dropped.
func TestFunctionsOfAnotherRecording(t *testing.T) {
	f := functions{api: usecase.Recordings{}}
	f.gen = 3
	f.update(functionsRead{gen: 2, all: invoked()})
	if f.all != nil {
		t.Error("a late result is shown")
	}
	f.update(functionsRead{gen: 3, all: invoked()})
	f.forget()
	if f.all != nil || f.gen != 4 {
		t.Errorf("got %+v", f)
	}
}

// The form switches the recording of functions on, for a service that Sonde builds.
func TestRecordFunctions(t *testing.T) {
	built := screen.Service{Name: "shop", URL: "http://127.0.0.1:{port}", Net: usecase.NetworkAvailable}
	d := drive(t, built).size(200, 40).sees("functions off").press("down", "down", "enter")
	d.sees("functions on", "sonde record --spec shop.yaml --units -o recording")
	d.press("up", "enter").sees("only of a service that Sonde builds").misses("yaml --units")
	d.press("enter", "s")
	if got := d.watches; len(got) != 1 || !got[0].Units || !got[0].Build {
		t.Errorf("started %+v", got)
	}
}

// While functions are recorded, the head has the number of invocations.
func TestInvocationsInTheHead(t *testing.T) {
	d := drive(t, demo).size(200, 40)
	d.started.traffic.Recording, d.started.traffic.Invocations = model.Recording{}, 31
	d.press("enter").sees("31 invocations of functions")
}
