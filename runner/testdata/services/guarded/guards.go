package main

import (
	"strconv"
	"strings"
	"time"
)

// Numbers has three integers and a floating-point number.
type Numbers struct {
	A, B, C int
	X       float64
}

func numbers(in Numbers) {
	if in.A > 1_000_000 {
		met(1)
	}
	if in.A == 417 {
		met(2)
	}
	if in.B == -123_456_789 {
		met(3)
	}
	if in.X > 99.5 && in.X < 99.75 {
		met(4)
	}
	if in.A != 0 && in.A == 2*in.B {
		met(5)
	}
	if in.A > in.B && in.B > in.C && in.C > 0 {
		met(6)
	}
	if in.C > 500 && in.C%1000 == 77 {
		met(7)
	}
	if in.A > 0 && in.B > 0 && in.A+in.B+in.C == 12_345 {
		met(8)
	}
}

// Texts has three texts.
type Texts struct{ Code, Name, Note string }

func texts(in Texts) {
	if in.Note == "" {
		met(9)
	}
	if strings.HasPrefix(in.Code, "INV-") {
		met(10)
	}
	if strings.HasPrefix(in.Code, "INV-") && len(in.Code) == 10 {
		met(11)
	}
	if strings.HasSuffix(in.Name, ".pdf") {
		met(12)
	}
	if strings.Contains(in.Note, "urgent") {
		met(13)
	}
	if strings.EqualFold(in.Name, "administrator") {
		met(14)
	}
	if in.Code == "open sesame" {
		met(15)
	}
	if len(in.Code) > 6 && in.Code == in.Name {
		met(16)
	}
	if n, err := strconv.Atoi(in.Code); err == nil && n == 8151 {
		met(17)
	}
	switch in.Name {
	case "gold":
		met(18)
	case "platinum":
		if in.Note > "x" && in.Note < "xb" {
			met(19)
		}
	}
}

// Times has the dates of a stay, and the time at which it was booked.
type Times struct {
	From, To string // the first and last date
	At       time.Time
}

func times(in Times) {
	from, err1 := time.Parse(time.DateOnly, in.From)
	to, err2 := time.Parse(time.DateOnly, in.To)
	if err1 != nil || err2 != nil {
		return
	}
	if to.Before(from) {
		met(20)
	}
	if from.After(time.Date(2031, 3, 1, 0, 0, 0, 0, time.UTC)) && from.Before(time.Date(2031, 3, 9, 0, 0, 0, 0, time.UTC)) {
		met(21)
	}
	if to.Sub(from) == 30*24*time.Hour {
		met(22)
	}
	if from.Month() == time.February && from.Day() == 29 {
		met(23)
	}
	if in.At.After(from) && in.At.Before(to) {
		met(24)
	}
	if in.At.Unix() > 1_700_000_000 && in.At.Unix() < 1_700_086_400 {
		met(25)
	}
}

// Move is a step of the state machine, with a force.
type Move struct {
	Move  string
	Force int
}

// state is the last move that was right.
var state string

func move(in Move) {
	switch {
	case state == "" && in.Move == "unlock":
		state = "unlocked"
		met(26)
	case state == "unlocked" && in.Move == "lift":
		state = "lifted"
		met(27)
	case state == "lifted" && in.Move == "turn" && in.Force > 50:
		state = "turned"
		met(28)
	case state == "turned" && in.Move == "push" && in.Force > 5000:
		state = "pushed"
		met(29)
	case state == "pushed" && in.Move == "open" && in.Force == 42:
		met(30)
	}
}
