package gene

import (
	"encoding/json"
	"math"
)

// number converts a decoded JSON number to a float64. It returns false for other values.
func number(v any) (f float64, ok bool) {
	switch v := v.(type) {
	case float64:
		f = v
	case json.Number:
		n, err := v.Float64()
		if err != nil {
			return 0, false
		}
		f = n
	default:
		return 0, false
	}
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}

// whole converts a decoded JSON number to an int64. It returns false for other values, and for numbers
// that are not whole or do not fit.
func whole(v any) (n int64, ok bool) {
	if v, exact := v.(json.Number); exact {
		if n, err := v.Int64(); err == nil {
			return n, true
		}
	}
	f, ok := number(v)
	if !ok || f != math.Trunc(f) || f < -(1<<63) || f >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}
