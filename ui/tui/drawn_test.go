package tui

import (
	"maps"
	"testing"
)

func init() { maps.Copy(states, drawnStates) }

// drawnStates holds states of the app in which a screen shows a drawing, such as a graph or a treemap.
var drawnStates = map[string]func(*testing.T) *driver{
	"groups way":     func(*testing.T) *driver { return open(shop(), nil).press("2", "m", "V") },
	"groups all":     func(*testing.T) *driver { return open(shop(), nil).press("2", "a") },
	"groups values":  func(*testing.T) *driver { return open(shop(), nil).press("2", "down", "a", "A") },
	"groups treemap": func(*testing.T) *driver { return open(shop(), nil).press("2", "b", "down") },
	"graph facts":    func(*testing.T) *driver { return open(shop(), nil).press(orders...).press("g", "z") },
	"graph whole":    func(*testing.T) *driver { return open(shop(), nil).press(orders...).press("g", "w") },
	"graph signs":    func(*testing.T) *driver { return open(shop(), nil).send(halfway).press("3", "w", "Z") },
	"graph export":   func(*testing.T) *driver { return open(shop(), nil).press("3", "x", "tab") },
	"graph folded":   func(*testing.T) *driver { return open(shop(), nil).send(halfway).press("3", "w", "F", "C") },
	"graph found": func(*testing.T) *driver {
		return open(shop(), nil).press("3", "w", "m", "/").write("cart item").press("enter", "n")
	},
	"graph find":      func(*testing.T) *driver { return open(shop(), nil).press("3", "w", "t", "/").write("cart") },
	"graph resources": func(*testing.T) *driver { return open(shop(), nil).send(halfway).press("3", "w", "o", "right") },
}
