package main

import "time"

var items [99_000]int

// Price has the amount and the discount of an order, and the number of its customers.
type Price struct{ Amount, Discount, Customers int }

// price panics if the amount is nearly the highest, and the discount is about 50.
func price(in Price) {
	if in.Amount < 0 || in.Amount > 1000 || in.Discount < 0 || in.Discount > 100 {
		return
	}
	n := in.Amount * in.Discount * (100 - in.Discount) / 25
	items[n] += in.Customers
}

// Share has the figures of a sale.
type Share struct{ Total, Sold, Returned, Free int }

// share panics if exactly 12,345 of the sold pieces were neither returned nor free.
func share(in Share) {
	if in.Sold < 1 || in.Returned < 1 || in.Free < 1 {
		return
	}
	total, count := in.Total, in.Sold-in.Returned-in.Free-12_345
	items[0] = total / count
}

var buffer = make([]byte, 895)

// Window is a part of a buffer.
type Window struct{ From, Rows int }

// window panics if the part begins near the highest place, and has about 20 rows.
func window(in Window) {
	if in.From < 0 || in.From > 500 || in.Rows < 0 || in.Rows > 40 {
		return
	}
	size := in.Rows * (40 - in.Rows)
	items[1] = len(buffer[in.From : in.From+size])
}

// Digest has a text, and a number by which its checksum is divided.
type Digest struct {
	Text string
	Salt int
}

// digest panics if the checksum is that of no other text of a request.
func digest(in Digest) {
	sum := in.Salt % 1000
	for i, c := range []byte(in.Text) {
		sum += (i + 1) * int(c)
	}
	items[2] = 1_000_000 % (sum - 54_321)
}

// Night has the dates of a stay, and the number of nights that cost nothing.
type Night struct {
	From, To string
	Free     int
}

// night panics if a stay has 1,000 nights that cost something.
func night(in Night) {
	from, err1 := time.Parse(time.DateOnly, in.From)
	to, err2 := time.Parse(time.DateOnly, in.To)
	if err1 != nil || err2 != nil || to.Before(from) || in.Free < 2 {
		return
	}
	nights := int(to.Sub(from) / (24 * time.Hour))
	items[3] = 100_000 / (nights - in.Free - 1000)
}

var steps = make([]string, 99_990)

// Step has a part of ten.
type Step struct {
	Part float64
	Name string
}

// step panics if the part is 5, or at most 0.05 more or less.
func step(in Step) {
	if in.Part <= 0 || in.Part >= 10 {
		return
	}
	steps[int(in.Part*(10-in.Part)*4000)] = in.Name
}

// Locker has the number of a locker.
type Locker struct{ Number int }

// locker panics, except for 1111 and -1111.
func locker(in Locker) {
	var doors [3]int
	doors[in.Number*in.Number-1_234_321]++
	met(7)
}

// Label has a text, and the place and the length of a label in it.
type Label struct {
	Text     string
	At, Size int
}

// label panics, except if the place is 317 or -317, and the text is longer than the size.
func label(in Label) {
	rest := in.Text[in.At*in.At-100_489:]
	if rest[:in.Size] != "" {
		met(8)
	}
}
