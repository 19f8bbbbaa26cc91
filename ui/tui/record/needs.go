package record

import (
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// head draws what a recording needs and what it is for, in at most height lines. If there is not enough room, it leaves
// out first what a recording is for, and then everything.
func (f *form) head(width, height int) []string {
	needs := []string{"", " " + theme.Strong.Render(draw.CutMiddle(f.needs(), width-2)), ""}
	var about []string
	for _, l := range words.Wrap(intro, min(width-3, 76)) {
		about = append(about, " "+l)
	}
	about = append(about, "")
	switch {
	case len(needs)+len(about) <= height:
		return append(needs, about...)
	case len(needs) <= height:
		return needs
	}
	return nil
}

// needs says in one line what a recording needs, and the key that gets it.
func (f *form) needs() string {
	start := widget.KeyName(keyStart)
	switch {
	case f.watch.Build:
		return "Nothing yet: " + start + " starts the service and records it"
	case len(f.watch.In) > 0:
		return "Nothing yet: " + start + " records what you send to " + draw.Clean(f.watch.In[0].Addr)
	}
	return "Needs a service: " + widget.KeyName(keyType) + " on inbound types ADDR=URL"
}
