// Command ladder has a predicate of each kind. It reads lines "kind value" and
// answers each line, so that a test can raise the score step by step.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

type colour string

type level int8

type price float32

var errStock = errors.New("no stock")

var word = regexp.MustCompile(`^a+b$`)

var stock = map[string]int{"apple": 1, "pear": 2}

var codes = map[uint16]bool{500: true}

var roles = map[string]bool{"admin": true, "guest": false}

var closed = map[int]bool{30: true, 31: true, 40: false}

func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

func natural(s string) uint64 {
	n, _ := strconv.ParseUint(s, 10, 64)
	return n
}

func id(n int64) int64 { return n }

func real(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

func instant(s string) time.Time { return time.Unix(0, int64(real(s)*1e9)) }

// layouts are known only when the program runs.
var layouts = []string{time.DateOnly, time.RFC3339}

func moment() time.Time { return time.Unix(1_700_000_000, 0) }

func failure(s string) error {
	switch s {
	case "none":
		return nil
	case "stock":
		return fmt.Errorf("order: %w", errStock)
	}
	return fs.ErrClosed
}

func most[T int | int64 | float64](a, b T) bool { return a >= b }

func before[T cmp.Ordered](a, b T) bool { return a < b }

func same[T ~string](a, b T) bool { return a == b }

var row = make([]int, 10)

var days [7]int

type priced struct{ level level }

var prices = map[string]*priced{"high": {level: 3}}

var contents = map[string]any{"text": "t", "number": 3}

// panics reports whether a function panics.
func panics(f func()) (does bool) {
	defer func() { does = recover() != nil }()
	f()
	return false
}

var checks = map[string]func(s string) bool{
	"int==":      func(s string) bool { return number(s) == 42 },
	"int!=":      func(s string) bool { return number(s) != 42 },
	"int<":       func(s string) bool { n := number(s); return n < 10 },
	"int<=":      func(s string) bool { n := number(s); return n <= 10 },
	"int>":       func(s string) bool { n := number(s); return n > 10 },
	"int>=":      func(s string) bool { return id(number(s)) >= 10 },
	"unix==":     func(s string) bool { n := number(s); return n == 1_700_000_000 },
	"int8==":     func(s string) bool { n := level(number(s)); return n == -128 },
	"uint64==":   func(s string) bool { return natural(s) == 1<<64-1 },
	"float64==":  func(s string) bool { n := real(s); return n == 0.5 },
	"float32==":  func(s string) bool { n := price(real(s)); return n == 0.1 },
	"float64<":   func(s string) bool { return real(s) < 0 },
	"param>=":    func(s string) bool { return most(number(s), 7) },
	"paramtext":  func(s string) bool { return same(colour(s), "red") },
	"int16<":     func(s string) bool { n := int16(number(s)); return n < -30_000 },
	"int32>=":    func(s string) bool { n := int32(number(s)); return n >= 2_000_000_000 },
	"int64<=":    func(s string) bool { n := number(s); return n <= -1<<62 },
	"uint8==":    func(s string) bool { n := byte(number(s)); return n == 'z' },
	"uint16>":    func(s string) bool { n := uint16(number(s)); return n > 65_534 },
	"uint32<":    func(s string) bool { n := uint32(number(s)); return n < 1 },
	"uint!=":     func(s string) bool { n := uint(number(s)); return n != 7 },
	"uintptr>=":  func(s string) bool { n := uintptr(number(s)); return n >= 9 },
	"float32>":   func(s string) bool { n := float32(real(s)); return n > 1e10 },
	"float64<=":  func(s string) bool { n := real(s); return n <= -0.25 },
	"duration":   func(s string) bool { return moment().Sub(instant(s)) < time.Minute },
	"paramint<":  func(s string) bool { return before(int(number(s)), 3) },
	"paramtext<": func(s string) bool { return before(s, "bay") },
	"string>=":   func(s string) bool { return s >= "bay" },
	"string<=":   func(s string) bool { return s <= "bay" },
	"string!=":   func(s string) bool { return s != "on" },
	"lenbytes":   func(s string) bool { return len([]byte(s)) == 4 },
	"bytestext":  func(s string) bool { b := []byte(s); return string(b) == "raw" },
	"byteslast":  func(s string) bool { return bytes.HasSuffix([]byte(s), []byte("%%")) },
	"byteswith":  func(s string) bool { return bytes.Contains([]byte(s), []byte("key")) },
	"bytesfold":  func(s string) bool { return bytes.EqualFold([]byte(s), []byte("YES")) },
	"list":       func(s string) bool { return slices.Contains([]string{"apple", "pear"}, s) },
	"numbers":    func(s string) bool { return slices.Contains([]int64{7, 1000}, number(s)) },
	"role":       func(s string) bool { return roles[s] && true },
	"closed":     func(s string) bool { return closed[int(number(s))] && true },
	"notnil":     func(s string) bool { err := failure(s); return err != nil },
	"parse":      func(s string) bool { _, err := strconv.ParseBool(s); return err == nil },
	"len":        func(s string) bool { return len(s) > 5 },
	"string==":   func(s string) bool { return s == "secret" },
	"colour==":   func(s string) bool { return colour(s) == "red" },
	"string<":    func(s string) bool { return s < "bay" },
	"string>":    func(s string) bool { return strings.TrimSpace(s) > "bay" },
	"prefix":     func(s string) bool { return strings.HasPrefix(s, "ab-") },
	"cutprefix":  func(s string) bool { _, ok := strings.CutPrefix(s, "ab-"); return ok },
	"cutsuffix":  func(s string) bool { _, ok := bytes.CutSuffix([]byte(s), []byte(".go")); return ok },
	"cut":        func(s string) bool { _, _, ok := strings.Cut(s, "key"); return ok },
	"day":        func(s string) bool { _, err := time.Parse(layouts[0], s); return err == nil },
	"moment":     func(s string) bool { _, err := time.Parse(layouts[1], s); return err == nil },
	"prefixed":   func(s string) bool { p, err := netip.ParsePrefix(s); return err == nil && p.Bits() >= 0 },
	"private":    func(s string) bool { a := netip.MustParseAddr(s); return a.IsPrivate() },
	"loopback":   func(s string) bool { ip := net.ParseIP(s); return ip.IsLoopback() },
	"suffix":     func(s string) bool { return strings.HasSuffix(s, ".go") },
	"contains":   func(s string) bool { return strings.Contains(s, "key") },
	"fold":       func(s string) bool { return strings.EqualFold(s, "YES") },
	"bytes==":    func(s string) bool { return bytes.Equal([]byte(s), []byte("raw")) },
	"bytesfirst": func(s string) bool { return bytes.HasPrefix([]byte(s), []byte("%P")) },
	"before":     func(s string) bool { return instant(s).Before(moment()) },
	"after":      func(s string) bool { return instant(s).After(moment()) },
	"timeequal":  func(s string) bool { return instant(s).Equal(moment()) },
	"key":        func(s string) bool { _, ok := stock[s]; return ok },
	"code":       func(s string) bool { _, ok := codes[uint16(number(s))]; return ok },
	"is":         func(s string) bool { return errors.Is(failure(s), errStock) },
	"nil":        func(s string) bool { return failure(s) == nil },
	"regexp":     func(s string) bool { return word.MatchString(s) },
	"atoi":       func(s string) bool { _, err := strconv.Atoi(s); return err == nil },
	"integer":    func(s string) bool { _, err := strconv.ParseInt(s, 0, 64); return err == nil },
	"unsigned":   func(s string) bool { _, err := strconv.ParseUint(s, 16, 8); return err == nil },
	"decimal":    func(s string) bool { _, err := strconv.ParseFloat(s, 64); return err == nil },
	"json":       func(s string) bool { return json.Unmarshal([]byte(s), new(any)) == nil },
	"and":        func(s string) bool { return len(s) == 3 && s[0] == 'k' && s[2] == 'y' },
	"or":         func(s string) bool { n := number(s); return n == 100 || n == -100 },
	"not":        func(s string) bool { n := number(s); return !(n != 9) },
	"deep":       func(s string) bool { n := number(s); return n > 0 && n == 1_700_000_000 },
	"index>=":    func(s string) bool { return strings.Index(s, "key") >= 0 },
	"index!=":    func(s string) bool { return strings.Index(s, "key") != -1 },
	"index-1":    func(s string) bool { return strings.Index(s, "key") == -1 },
	"index0":     func(s string) bool { return strings.Index(s, "key") == 0 },
	"index<":     func(s string) bool { return bytes.Index([]byte(s), []byte("key")) < 0 },
	"index>":     func(s string) bool { return bytes.Index([]byte(s), []byte("key")) > 2 },
	"compare0":   func(s string) bool { return strings.Compare(s, "red") == 0 },
	"compare<":   func(s string) bool { return bytes.Compare([]byte(s), []byte("bay")) < 0 },
	"element":    func(s string) bool { return panics(func() { row[id(number(s))]++ }) },
	"byte":       func(s string) bool { return panics(func() { row[byte(number(s))] = 1 }) },
	"array":      func(s string) bool { return panics(func() { _ = &days[id(number(s))] }) },
	"first":      func(s string) bool { return panics(func() { _ = s[2] }) },
	"part":       func(s string) bool { return panics(func() { _ = strings.Split(s, ",")[2] }) },
	"head":       func(s string) bool { return panics(func() { _ = row[:number(s)] }) },
	"tail":       func(s string) bool { return panics(func() { _ = row[number(s):] }) },
	"upto":       func(s string) bool { return panics(func() { n := number(s); _ = row[n:3] }) },
	"quotient":   func(s string) bool { return panics(func() { n, by := 9, int(number(s))-7; n /= by; _ = n }) },
	"remainder":  func(s string) bool { return panics(func() { _ = 5%natural(s) == 1 }) },
	"pointer":    func(s string) bool { return panics(func() { _ = prices[s].level }) },
	"type":       func(s string) bool { return panics(func() { _ = contents[s].(string) }) },
	"inside":     func(s string) bool { return !panics(func() { row[number(s)] = 2 }) },
	"behind":     func(s string) bool { return !panics(func() { _ = row[number(s):] }) },
	"text":       func(s string) bool { return !panics(func() { _ = contents[s].(string) }) },
	"otherwise": func(s string) bool {
		n := number(s)
		switch {
		case n < 100:
		default:
			return true
		case n%2 == 1, n > 200:
		}
		return false
	},
	"switch": func(s string) bool {
		switch number(s) {
		case 50, 60:
			return true
		case 5:
		}
		return false
	},
	"words": func(s string) bool {
		switch colour(s) {
		case "green":
			return true
		default:
			return false
		}
	},
}

func main() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		kind, value, _ := strings.Cut(in.Text(), " ")
		fmt.Println(checks[kind](value))
	}
}
