package generate_test

import (
	"slices"
	"testing"
	"time"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/openapi"
	"sonde/runner/replay/generate"
)

// A recording of Sonde 0.1.0 is read without a warning, and tests are generated from it. The files
// in testdata were written by that release, which recorded the demo shop. Only the paths of the
// program and of its folder were changed.
func TestRecordingOfRelease010(t *testing.T) {
	rec, err := codec.OpenRecording("testdata/recording-0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Warnings) > 0 {
		t.Errorf("warnings %q", rec.Warnings)
	}
	if len(rec.Users) != 3 || rec.Reset == nil || rec.Service == nil {
		t.Errorf("users %v, reset %v, service %v", rec.Users, rec.Reset, rec.Service)
	}
	if began := time.Date(2026, 11, 26, 23, 19, 37, 215139134, time.UTC); !rec.Served[0].At.Equal(began) {
		t.Errorf("the first request began at %v, want %v", rec.Served[0].At, began)
	}
	spec, err := openapi.Parse(t.Context(), "demo", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := generate.Tests(rec, spec, generate.Options{})
	if len(s.Tests) != 4 || len(s.Skipped) > 0 {
		t.Fatalf("%d tests, skipped %v", len(s.Tests), s.Skipped)
	}
	payment := of(t, s, "POST /orders/{orderId}/payments", 201)
	want := []string{
		"POST /products 201",
		"POST /carts 201 /productId=0Location",
		"POST /orders 201 /cartId=1Location",
		"POST /orders/{orderId}/payments 201 orderId=2Location",
	}
	if got := setUp(payment); !slices.Equal(got, want) {
		t.Errorf("calls %q, want %q", got, want)
	}
	if len(payment.Stubs) != 1 || payment.Stubs[0].Host != "127.0.0.1:19001" || payment.Stubs[0].Protocol != model.HTTP {
		t.Errorf("stubs %+v", payment.Stubs)
	}
	if payment.Mock.Uncertain {
		t.Error("the trace of the payment was not read")
	}
}
