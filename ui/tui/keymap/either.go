package keymap

// Either returns a if first is true, and b otherwise. It is for the help of a key that switches between two
// states.
func Either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}
