package main

// scene is a session whose last screen becomes a picture.
type scene struct {
	name  string
	args  []string
	steps []step
	// before prepares home, the folder in which the session runs. The folder dir has the program sonde.
	// before may be nil.
	before func(dir, home string) error
}

// step has keys to type, and a pattern that the screen must match afterwards.
type step struct{ keys, until string }

const (
	ctrlX    = "\x18"
	right    = "\x1b[C"
	down     = "\x1b[B"
	pageDown = "\x1b[6~"
)

// searched are the steps of a search from its start to its end.
var searched = []step{{"5", "▸5 Search"}, {"\r", "calls/s"}, {"", "done"}}

var scenes = []scene{
	{name: "explore", args: []string{"--demo"}, steps: []step{{"/", "esc"}, {"orders", "POST   /orders"}, {"\r", "─ POST /orders ─"}}},
	{
		name:  "groups",
		args:  []string{"--demo"},
		steps: []step{{"/", "esc"}, {"orders\r", "─ POST /orders ─"}, {"G", "▸2 Groups"}, {"", "group 1"}},
	},
	{name: "graph", args: []string{"--demo"}, steps: append(searched[:3:3], []step{
		{"1", "▸1 Explore"}, {"/", "esc"}, {"orders\r", "─ POST /orders ─"}, {"g", "▸3 Graph"}, {"", "◆ POST /orders"},
	}...)},
	{name: "seqs", args: []string{"--demo"}, steps: append(searched[:3:3], []step{
		{"4", "▸4 Seqs"}, {"/", "esc"}, {"payments status:201\r", "of 3"}, {down + " ", "1 picked"}, {down + " ", "2 picked"},
	}...)},
	{name: "search", args: []string{"--demo"}, steps: []step{
		{"5", "▸5 Search"},
		{"e", "esc cancel"},
		{"40000\r", "40,000"},
		{"\r", "calls/s"},
		{"", `▶ [23]\d%`},
		{right + right, `┆P`},
		{"", `▶ [67]\d%`},
	}},
	{name: "export", args: []string{"--demo"}, steps: append(searched[:3:3], []step{
		{"4", "▸4 Seqs"},
		{"/", "esc"},
		{"payments status:201\r", "of 3"},
		{down + " ", "1 picked"},
		{down + " ", "2 picked"},
		{"6", "package apitest"},
		{"\r" + pageDown, "func Test"},
	}...)},
	{name: "network", args: []string{"--demo", "--net"}, steps: []step{
		{"5", "▸5 Search"},
		{"e", "esc cancel"},
		{"3000\r", "3,000"},
		{"\r", "calls/s"},
		{"", "The search is done"},
		{"7", "▸ +metrics"},
		{down + down, "▸ +stock"},
	}},
	{
		name:   "record",
		args:   []string{"--demo", "--rec", "rec"},
		before: record,
		steps:  []step{{"", "28 of 28 seen"}, {"/payments", "/ payments"}, {"\r" + down + down + down, "charge"}},
	},
}
