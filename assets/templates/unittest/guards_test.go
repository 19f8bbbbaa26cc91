package unittest

import (
	"encoding/json"
	"os"
	"slices"
	"sync"
	"testing"
)

// unitNeedless returns the inputs that each test leaves out, by the names of tests, as the file SONDE_NEEDLESS has them.
var unitNeedless = sync.OnceValue(func() (inputs map[string][]string) {
	data, err := os.ReadFile(os.Getenv("SONDE_NEEDLESS"))
	if err == nil {
		err = json.Unmarshal(data, &inputs)
	}
	if err != nil {
		panic(err)
	}
	return inputs
})

// unitUse reports whether a test uses an input.
func unitUse(t *testing.T, input string) bool {
	return !slices.Contains(unitNeedless()[t.Name()], input)
}

// unitKeep returns the value of an input, the zero value if the test leaves it out.
func unitKeep[T any](t *testing.T, input string, value T) (x T) {
	if unitUse(t, input) {
		return value
	}
	return x
}

// unitRecover makes a panic a failure.
func unitRecover(t *testing.T) {
	if with := recover(); with != nil {
		t.Errorf("it panics: %v", with)
	}
}
