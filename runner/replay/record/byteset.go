package record

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Sets of the bytes that occur in tokens, in the parts of a token between ".", "/" and "=", in JSON numbers, and in
// whole numbers.
var (
	inToken  = byteSet(digits + letters + "._~+/=-")
	inPart   = byteSet(digits + letters + "_~+-")
	inNumber = byteSet(digits + ".-+eE")
	inWhole  = byteSet(digits)
)

// byteSet returns the set of the bytes of a text.
func byteSet(all string) (in [256]bool) {
	for i := range len(all) {
		in[all[i]] = true
	}
	return in
}

// wordEnd returns how many bytes at the start of a text are in a set.
func wordEnd(s string, in *[256]bool) int {
	for i := range len(s) {
		if !in[s[i]] {
			return i
		}
	}
	return len(s)
}

// manyDigits reports whether a text has 13 digits, separated at most by spaces and dashes. A card
// number has at least as many.
func manyDigits(s string) bool {
	n := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
			if n == 13 {
				return true
			}
		} else if s[i] != ' ' && s[i] != '-' {
			n = 0
		}
	}
	return false
}
