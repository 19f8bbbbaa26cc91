// Command speed has the code that probes slow down most, for measurements with and
// without probes: "speed LOOP N" runs a loop N times, "speed serve" serves HTTP until
// its input ends.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

var loops = map[string]func() int{
	"distance":  func() int { return distance(long, strings.Repeat("sitting", 20)) },
	"fibonacci": func() int { return fibonacci(20) },
	"sort":      func() int { return sorted(500) },
	"scan":      func() int { return scan(long) },
	"sieve":     func() int { return sieve(10_000) },
	"matrix":    func() int { return matrix(40) },
	"calls":     func() int { return calls(20_000, min3) },
}

var long = strings.Repeat("kit ten-7", 20)

// distance returns the Levenshtein distance.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 0; i < len(a); i++ {
		diagonal := row[0]
		row[0] = i + 1
		for j := 0; j < len(b); j++ {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			best := diagonal + cost
			if row[j+1]+1 < best {
				best = row[j+1] + 1
			}
			if row[j]+1 < best {
				best = row[j] + 1
			}
			diagonal, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}

func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

// sorted sorts by insertion.
func sorted(n int) int {
	all := make([]int, n)
	for i := range all {
		all[i] = i * 7919 % n
	}
	for i := 1; i < n; i++ {
		for j := i; j > 0 && all[j-1] > all[j]; j-- {
			all[j-1], all[j] = all[j], all[j-1]
		}
	}
	return all[n/2]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// scan calls a function for each byte.
func scan(s string) int {
	words, digits := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case isDigit(s[i]):
			digits++
		case s[i] == ' ' || s[i] == '-':
			words++
		}
	}
	return words*digits + 1
}

func sieve(n int) int {
	crossed, primes := make([]bool, n), 0
	for i := 2; i < n; i++ {
		if crossed[i] {
			continue
		}
		primes++
		for j := 2 * i; j < n; j += i {
			crossed[j] = true
		}
	}
	return primes
}

// matrix multiplies two matrices.
func matrix(n int) int {
	a, b, c := square(n), square(n), square(n)
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			for k := 0; k < n; k++ {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c[n/2][n/3]
}

func square(n int) [][]int {
	all := make([][]int, n)
	for i := range all {
		all[i] = make([]int, n)
		for j := range all[i] {
			all[i][j] = i ^ j
		}
	}
	return all
}

func min3(a, b, c int) int { return min(a, b, c) }

// calls calls a function that it does not know for each index, so that its loop has no light copy.
func calls(n int, f func(a, b, c int) int) int {
	list, sum := make([]int, n+2), 0
	for i := 0; i < n; i++ {
		list[i+2] = f(list[i], list[i+1], i) + 1
		sum += list[i+2] % (list[i] + 1)
	}
	return sum
}

func main() {
	if os.Args[1] == "serve" {
		serve()
		return
	}
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	sum := 0
	for range n {
		sum += loops[os.Args[1]]()
	}
	fmt.Println(sum)
}
