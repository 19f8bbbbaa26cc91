package screen

// Kept is what the app keeps of a screen for the user: settings that can be undone, and sizes of panes.
type Kept struct {
	// Settings returns the settings that the user can change now. It is nil if the screen has none.
	Settings func() []Setting
	// Borders returns the borders that are visible now, and that the user can drag.
	Borders func() []Border
	// Splits has the shares of panes that the user has chosen.
	Splits Splits
}

// Keeper is a Screen of which the app keeps something. It also handles RestoreSetting and SetSplits.
type Keeper interface {
	Kept() Kept
}
