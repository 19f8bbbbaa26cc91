package netsim

import (
	"slices"
	"strconv"

	"sonde/model"
)

// errnos maps each fault of the environment to the error that the service gets. The name of the error is the one that
// a table uses.
var errnos = map[model.NetFault]string{
	model.NetAddressInUse:     "EADDRINUSE",
	model.NetPermissionDenied: "EACCES",
	model.NetNoSpace:          "ENOSPC",
	model.NetNoSuchFile:       "ENOENT",
	model.NetIOError:          "EIO",
}

// writeEnvironment writes the stubs of the environment into a table, in the order in which they answer.
// assets/probe/_net/net/environment.go reads the lines.
func writeEnvironment(b *table, stubs []model.Stub) {
	for _, s := range stubs {
		b.line(append([]string{"use", s.Host}, useSteps(s)...)...)
	}
}

// countsUses reports whether the service must count something for a stub of the environment: its uses, or the bytes
// that the service writes to a file.
func countsUses(s model.Stub) bool {
	all := s.AllAnswers()
	return len(all) > 1 || slices.ContainsFunc(all, func(a model.Answer) bool { return a.Fault == model.NetNoSpace })
}

// useSteps returns the results of the first, second, … use of a resource, as the answers of its stub say.
func useSteps(s model.Stub) (steps []string) {
	all := s.AllAnswers()
	if s.Repeat {
		all = s.Answers
	}
	for _, a := range all {
		steps = append(steps, useStep(s.Host, a))
	}
	switch {
	case s.Repeat:
		steps = append(steps, "again")
	case s.Else == nil && len(s.Answers) > 1:
		steps = append(steps, "ok") // the script is at its end
	}
	return steps
}

func useStep(resource string, a model.Answer) string {
	switch {
	case a.Fault == model.NetNoSpace:
		return "!" + errnos[a.Fault] + ":" + strconv.Itoa(a.After)
	case a.Fault != "":
		return "!" + errnos[a.Fault]
	case model.ResourceHasValue(resource):
		return "=" + string(a.Content())
	}
	return "ok"
}

// useKey identifies uses of the environment that share one contact: the same action on the same resource, with the
// same outcome, during one call.
type useKey struct {
	call                      int
	resource, action, outcome string
}

// noteUse notes that the service used a resource of its environment. Uses with the same useKey share one contact. The
// caller must hold the mutex of the network. noteUse notes nothing in two cases:
//
//   - The resource's name is not valid in a stub.
//   - No stub of the test decided the use, and isFixed is true: the options of the network determine the resource.
func (t *testState) noteUse(e useEvent, isFixed bool) {
	m := model.Contact{
		Kind: model.ContactUse, Protocol: model.Environment, Host: model.FilePattern(e.resource), Data: []byte(e.action),
		Stub: -1, Answer: -1, Outcome: model.OutcomeWorks, Uses: e.uses,
	}
	if model.IsFileResource(e.resource) {
		m.Data = []byte(e.action + " " + e.resource)
	}
	if e.by != "" {
		m.Stub = slices.IndexFunc(t.stubs, func(s model.Stub) bool { return s.Protocol == model.Environment && s.Host == e.by })
	}
	if m.Stub >= 0 {
		if a, index, ok := ScriptedAnswer(t.stubs[m.Stub], e.nth); ok {
			m.Answer = index
			if a.Fault == "" || e.failed {
				m.Outcome = a.Label(model.Environment)
			}
		}
	}
	if m.Stub < 0 && isFixed || !model.IsResource(m.Host) {
		return
	}
	key := useKey{call: t.call, resource: m.Host, action: e.action, outcome: m.Outcome}
	if index, known := t.uses[key]; known {
		t.log.addUses(index, e.uses)
		return
	}
	t.uses[key] = t.note(m)
}

// fixes reports whether the options determine a resource of the environment.
func (o Options) fixes(resource string) bool {
	return resource == model.HostnameResource && o.Hostname != "" || resource == model.InterfacesResource && len(o.Interfaces) > 0
}
