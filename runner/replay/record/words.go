package record

import "strings"

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// The bytes of tokens, of the parts of tokens, and of numbers.
var (
	inToken  = bytesOf(digits + letters + "._~+/=-")
	inPart   = bytesOf(digits + letters + "_~+-")
	inNumber = bytesOf(digits + ".-+eE")
	inWhole  = bytesOf(digits)
)

func bytesOf(all string) (in [256]bool) {
	for i := range len(all) {
		in[all[i]] = true
	}
	return in
}

// wordEnd returns the length of the word at the start of a text.
func wordEnd(s string, in *[256]bool) int {
	for i := range len(s) {
		if !in[s[i]] {
			return i
		}
	}
	return len(s)
}

// manyDigits reports whether a text may contain a card's number.
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

// seen masks the secrets that were found before.
func (m *masker) seen(s string) string {
	if len(s) < longSecret {
		return s
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if len(m.known) == 0 {
		return s
	}
	for _, secret := range m.odd {
		s = strings.ReplaceAll(s, secret, m.known[secret])
	}
	return m.wordwise(s, &inToken)
}

// wordwise masks the words of a text that are secrets. The mutex is held.
func (m *masker) wordwise(s string, in *[256]bool) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(s); i++ {
		begun := i
		i += wordEnd(s[i:], in)
		if i-begun < longSecret {
			continue
		}
		word := s[begun:i]
		p, ok := m.known[word]
		if !ok && wordEnd(word, &inPart) < len(word) {
			p = m.wordwise(word, &inPart)
			ok = p != word
		}
		if ok {
			out.WriteString(s[done:begun])
			out.WriteString(p)
			done = i
		}
	}
	if done == 0 {
		return s
	}
	out.WriteString(s[done:])
	return out.String()
}
