package search

import (
	"sonde/model"
	"sonde/ui/pane"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// press takes a key of the page on show.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.form.typing():
		m.form.typed(msg)
	case m.inPast:
		return m.pressPast(msg)
	case m.setup:
		return m.pressSetup(msg)
	case m.inCode:
		return m.pressCode(msg)
	case m.inEvents:
		return m.pressEvents(msg)
	case m.inFault:
		return m.pressFault(msg)
	case key.Matches(msg, keyEvents):
		m.inEvents = true
	case key.Matches(msg, keyCode):
		m.inCode = true
	case m.fromCode && key.Matches(msg, keyToCode):
		m.inCode, m.fromCode = true, false
	case m.lists[m.focus].Key(msg):
	case key.Matches(msg, keyPane):
		m.turnTo(+1)
	case key.Matches(msg, keyBack):
		m.turnTo(-1)
	case key.Matches(msg, keyGo):
		return m.enter()
	case key.Matches(msg, keyAgain) && m.chosenTest() != nil:
		return m.engine.Post.ByHand(m.chosenTest().Seq(), m.chosenTest())
	case key.Matches(msg, keySteps) && m.chosenTest() != nil:
		return m.stepThrough()
	case key.Matches(msg, keyTests) && m.focus == partWhy:
		m.show(partTests)
	case m.watch.ended():
		return m.pressEnded(msg)
	default:
		return m.pressRun(msg)
	}
	return nil
}

func (m *Model) pressSetup(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.form.key(msg):
	case key.Matches(msg, keyStart) && m.host.URL != "":
		return m.start()
	case key.Matches(msg, keyPast):
		return m.look()
	case key.Matches(msg, keyResult) && m.watch.seen:
		m.setup = false
	}
	return nil
}

// pressEnded takes a key that is about the search which is over, or the next one.
func (m *Model) pressEnded(msg tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(msg, keyNew):
		m.again()
	case key.Matches(msg, keyPast):
		return m.look()
	case key.Matches(msg, keyResume) && m.resumable():
		return m.onward()
	}
	return nil
}

func (m *Model) pressRun(msg tea.KeyMsg) tea.Cmd {
	chosen := knobs[m.lists[partSteer].At]
	switch {
	case key.Matches(msg, keyMore, keyLess):
		m.watch.tune(chosen, false, key.Matches(msg, keyMore))
	case key.Matches(msg, keyFineMore, keyFineLess):
		m.watch.tune(chosen, true, key.Matches(msg, keyFineMore))
	case key.Matches(msg, keyPause):
		m.watch.pause()
	case key.Matches(msg, keyStep):
		m.step()
	case key.Matches(msg, keyStop):
		return m.watch.stop()
	default:
		m.pressStress(msg)
	}
	return nil
}

// pressStress takes a key that stresses operations.
func (m *Model) pressStress(msg tea.KeyMsg) {
	switch {
	case key.Matches(msg, keyMute):
		m.stress(model.Mute)
	case key.Matches(msg, keyBoost):
		m.stress(model.Boost)
	case key.Matches(msg, keyOnly):
		m.stress(model.Only)
	case key.Matches(msg, keyPlain):
		m.stress(model.Plain)
	case key.Matches(msg, keyPlainAll):
		m.plainAll()
	case key.Matches(msg, keyWiden):
		m.widen()
	}
}

// step plays one more test and shows it.
func (m *Model) step() {
	m.watch.step()
	if m.watch.steerable() {
		m.lists[partTests], m.lists[partWhy] = pane.List{}, pane.List{}
		m.show(partWhy)
	}
}
